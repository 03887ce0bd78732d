/** A session in brief: what it was asked, what it said, and what it is doing. */

import { h } from "../base/dom.js";
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
    if (error && !value) return h("p", { class: "refusal" }, error.message, " ", error.advice);
    if (!value) return h("p", { class: "loading" }, "Loading…");
    const { session, health, events } = value;
    return [
      h("h2", null, h("a", { href: to("session", session.session_id) }, session.session_name)),
      h(
        "p",
        null,
        badge(health.question ? "asking" : session.state),
        " ",
        h("span", { class: "hint" }, age(session)),
      ),
      session.reason && session.state !== "finished" && h("p", { class: "why" }, session.reason),
      health.question && questionOf(health.question),
      h(
        "dl",
        { class: "facts" },
        fact("path", session.path),
        fact("blueprint", session.agent_name),
        fact("started", clock(session.started_at ?? session.created_at)),
        fact("quiet for", session.ended_at ? "" : length(health.silence_ms)),
        fact("runs", String(health.runs)),
        fact("tokens below", health.tokens ? brief(health.tokens) : ""),
        fact("cost below", health.cost_micros ? dollars(health.cost_micros) : ""),
        fact("directory", session.project_dir),
      ),
      app.mayAct &&
        h(
          "div",
          { class: "buttons" },
          actionsOn(session, liveOf(value))
            .slice(0, 3)
            .map((action) =>
              h(
                "button",
                {
                  key: action.name,
                  title: action.command,
                  onClick: () => (action.run(), app.paint()),
                },
                action.name,
              ),
            ),
          h(
            "button",
            { "aria-label": "More actions", onClick: () => openMenu(session, liveOf(value)) },
            "⋯",
          ),
        ),
      h("h3", null, "Latest events"),
      h(
        "ol",
        { class: "events" },
        events.map((event) =>
          h(
            "li",
            { key: event.id },
            h("span", { class: "hint" }, `${ago(event.timestamp)} ago`),
            " ",
            said(event),
          ),
        ),
      ),
    ];
  }
}

/** The number of live sessions, of a session and all below it. */
export const liveOf = ({ session, health }) => ({
  live: health.living_below + (isLive(session.state) ? 1 : 0),
});

export const fact = (name, value) =>
  value ? [h("dt", { key: `${name}:` }, name), h("dd", { key: name }, value)] : null;

/** An event in a line. */
export function said(event) {
  const type = String(event.event_type).replaceAll("_", " ");
  const tool = [event.tool_name, event.payload?.tool_name].find((one) => typeof one === "string");
  const text = words(event);
  return [
    h("strong", { key: "type" }, tool ? `${type} ${tool}` : type),
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
