/** A session in brief: what it was asked, what it said, and what it is doing. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { age, ago, brief, clock, dollars, length } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { actionsOn, openMenu } from "./menu.js";
import { removed } from "./removal.js";
import { questionOf } from "./question.js";
import { badge, isLive } from "./state.js";

const EVENTS = 12;
const WORDS_MAX = 300;

export class Digest {
  constructor(id) {
    this.id = id;
    this.fresh = new Fresh((signal) => this.read(signal), app.paint);
  }

  async read(signal) {
    // Alone and first: a session that was removed has no health.
    const session = await get(path`/sessions/${this.id}`, {}, { signal });
    const [health, events] = await Promise.all([
      get(path`/sessions/${this.id}/health`, {}, { signal }),
      get(path`/sessions/${this.id}/events`, { limit: EVENTS }, { signal }),
    ]);
    return { session: session.session, ...health, events: events.events };
  }

  changed(change) {
    if (change.sessions === null || change.sessions.includes(this.id)) this.fresh.refresh();
  }

  close() {
    this.fresh.close();
  }

  view() {
    const { value, error } = this.fresh;
    if (error?.status === 410) return removed(error);
    if (error && !value) return html`<p class="refusal">${error.message} ${error.advice}</p>`;
    if (!value) return html`<p class="loading">Loading…</p>`;
    const { session, health, events } = value;
    return html`
      <h2><a href=${to("session", session.session_id)}>${session.session_name}</a></h2>
      <p>
        ${badge(health.question ? "asking" : session.state)}${" "}
        <span class="hint">${age(session)}</span>
      </p>
      ${session.reason && session.state !== "finished" && html`
        <p class="why">${session.reason}</p>
      `}
      ${health.question && questionOf(health.question)}
      <dl class="facts">
        ${fact("path", session.path)}
        ${fact("blueprint", session.agent_name)}
        ${fact("started", clock(session.started_at ?? session.created_at))}
        ${fact("quiet for", session.ended_at ? "" : length(health.silence_ms))}
        ${fact("runs", String(health.runs))}
        ${fact("tokens below", health.tokens ? brief(health.tokens) : "")}
        ${fact("cost below", health.cost_micros ? dollars(health.cost_micros) : "")}
        ${fact("directory", session.project_dir)}
      </dl>
      ${app.mayAct && html`
        <div class="buttons">
          ${actionsOn(session, liveOf(value))
            .slice(0, 3)
            .map((action) => html`
              <button
                key=${action.name}
                title=${action.command}
                onClick=${() => (action.run(), app.paint())}
              >
                ${action.name}
              </button>
            `)}
          <button aria-label="More actions" onClick=${() => openMenu(session, liveOf(value))}>
            ⋯
          </button>
        </div>
      `}
      <h3>Latest events</h3>
      <ol class="events">
        ${events.map((event) => html`
          <li key=${event.id}>
            <span class="hint">${ago(event.timestamp)} ago</span> ${said(event)}
          </li>
        `)}
      </ol>
    `;
  }
}

/** The number of live sessions, of a session and all below it. */
export const liveOf = ({ session, health }) => ({
  live: health.living_below + (isLive(session.state) ? 1 : 0),
});

export const fact = (name, value) =>
  value ? html`
    <dt key="${name}:">${name}</dt>
    <dd key=${name}>${value}</dd>
  ` : null;

/** An event in a line. */
export function said(event) {
  const type = String(event.event_type).replaceAll("_", " ");
  const tool = [event.tool_name, event.payload?.tool_name].find((one) => typeof one === "string");
  const text = words(event);
  return [
    html`<strong key="type">${tool ? `${type} ${tool}` : type}</strong>`,
    text ? ` ${text.length > WORDS_MAX ? `${text.slice(0, WORDS_MAX)}…` : text}` : "",
  ];
}

const FIELDS = ["content", "message", "text", "error", "reason", "question", "summary", "prompt"];

/** The words of an event. Its fields come from any program, so any value must do. */
function words(event) {
  for (const name of FIELDS) {
    const value = event[name] ?? event.payload?.[name];
    if (typeof value === "string" && value) return value;
    if (Array.isArray(value)) {
      const texts = value.map((part) => (typeof part === "string" ? part : part?.text));
      const text = texts.filter((part) => typeof part === "string").join(" ");
      if (text) return text;
    }
  }
  const input = event.tool_input ?? event.payload?.tool_input;
  return input ? JSON.stringify(input) : "";
}
