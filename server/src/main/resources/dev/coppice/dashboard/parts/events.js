/**
 * The events of a session, newest last. Calls of tools are joined with their answers, long pauses
 * are marked, and the raw event is there on demand. At the live edge new ones appear by themselves;
 * away from it they are counted, and one click leads back.
 */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { clock, count, length } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { said } from "./digest.js";
import { copy } from "./copy.js";
import { waiting } from "./table.js";

const PAGE = 100;
const GAP = 5 * 60_000;

/** The types of events in which agents and people talk to one another. */
const TALK = [
  "message",
  "result",
  "question",
  "question_answered",
  "permission_request",
  "permission_answer",
  "UserPromptSubmit",
  "Notification",
  "message_received",
];

export class EventList {
  /** `before` is the number below which events are shown; null for the live edge. */
  constructor(session, before, told) {
    this.session = session;
    this.from = before;
    this.told = told;
    this.open = new Set();
    this.newer = 0;
    this.isTalk = false;
    this.isWhole = false;
    this.toggle = (id) => {
      if (!this.open.delete(id)) this.open.add(id);
      app.paint();
    };
    this.fresh = new Fresh((signal) => this.read(signal), app.paint);
  }

  async read(signal) {
    const query = { limit: PAGE, before: this.from ?? undefined };
    if (!this.isTalk) {
      return get(path`/sessions/${this.session}/events`, query, { signal });
    }
    const asked = { ...query, session_id: this.session, types: TALK };
    const page = await get("/events", asked, { signal });
    return { events: page.events.map((found) => found.event).reverse(), previous: page.next };
  }

  changed(change) {
    const isMine = change.sessions === null || change.sessions.includes(this.session);
    if (!isMine) return;
    if (this.from === null) this.fresh.refresh();
    else this.newer += change.count ?? 1;
  }

  close() {
    this.fresh.close();
  }

  turn(before) {
    this.from = before;
    this.newer = 0;
    this.told();
    this.fresh.restart();
  }

  view() {
    if (!this.fresh.value) return waiting(this.fresh);
    const { events, previous } = this.fresh.value;
    const isCut = this.fresh.value.cut;
    return html`
      <div class="bar-of-tools" key="turn">
        <button
          class="toggle${this.isTalk ? " on" : ""}"
          aria-pressed=${String(this.isTalk)}
          onClick=${() => {
            this.isTalk = !this.isTalk;
            this.turn(null);
          }}
        >
          only what was said
        </button>
        <button
          class="toggle${this.isWhole ? " on" : ""}"
          aria-pressed=${String(this.isWhole)}
          onClick=${() => {
            this.isWhole = !this.isWhole;
            app.paint();
          }}
        >
          with bookkeeping
        </button>
        <button disabled=${!previous} onClick=${() => this.turn(previous)}>Older</button>
        ${this.from === null
          ? html`<span class="hint">● the newest</span>`
          : html`
            <button class="news" onClick=${() => this.turn(null)}>
              ${this.newer ? `+${count(this.newer)} newer` : "To the newest"}
            </button>
          `}
      </div>
      <ol class="events" key="events">
        ${isCut && html`<li class="gap" key="cut">earlier events are not kept any more</li>`}
        ${lines(this.isWhole ? events : telling(events)).map((line) =>
          line.gap ? gap(line) : this.line(line),
        )}
      </ol>
      ${events.length === 0 && html`<p class="hint" key="none">Nothing has happened yet.</p>`}
    `;
  }

  line({ event, answer }) {
    return lineOf(event, answer, clock(event.timestamp), this.open.has(event.id), this.toggle);
  }
}

const gap = (line) =>
  html`<li class="gap" key="gap-${line.key}">nothing for ${length(line.gap)}</li>`;

/** An event, with its answer if it is a call: null if none has come. */
const lineOf = kept((event, answer, at, isOpen, toggle) => html`
  <li key=${event.id} class=${hasFailed(answer ?? event) ? "failed" : ""}>
    <button class="event" aria-expanded=${String(isOpen)} onClick=${() => toggle(event.id)}>
      <time datetime=${event.timestamp} class="hint">${at}</time>
      <span class="said">${said(event)}</span>
      ${answer !== undefined && html`
        <span class="hint">${answer ? took(event, answer) : "no answer yet"}</span>
      `}
    </button>
    ${isOpen && raw(event, answer)}
  </li>
`);

const took = (event, answer) => length(Date.parse(answer.timestamp) - Date.parse(event.timestamp));

function raw(event, answer) {
  const text = JSON.stringify(answer ? [event, answer] : event, null, 2);
  return html`
    <div class="raw">
      <button class="quiet" onClick=${() => copy(text)}>copy</button>
      <pre class="text" tabindex="0">${text}</pre>
    </div>
  `;
}

/** An event of any session as one line, with the name of its session. */
export const eventLine = (event, name) => namedLine(event, name, clock(event.timestamp));

const namedLine = kept((event, name, at) => html`
  <li key=${event.id} class=${hasFailed(event) ? "failed" : ""}>
    <time datetime=${event.timestamp} class="hint">${at}</time>${" "}
    <span class="hint">${name}</span> <span class="said">${said(event)}</span>
  </li>
`);

const callId = (event) =>
  event.tool_use_id ??
  event.tool_call_id ??
  event.correlation_id ??
  event.payload?.tool_use_id ??
  null;
const isCall = (event) =>
  /^(PreToolUse|pre_tool|tool_use|tool_call|tool_start)$/.test(event.event_type);
const isAnswer = (event) =>
  /^(PostToolUse(Failure)?|tool_result|tool_end|post_tool)$/.test(event.event_type);

/** Joins calls with their answers, and puts in the gaps. */
function lines(events) {
  const answers = new Map();
  for (const event of events) {
    const id = callId(event);
    if (id && isAnswer(event)) answers.set(id, event);
  }
  const joined = new Set();
  const all = [];
  let last = null;
  for (const event of events) {
    if (joined.has(event.id)) continue;
    const at = Date.parse(event.timestamp);
    if (last !== null && at - last > GAP) all.push({ gap: at - last, key: event.id });
    last = at;
    const id = callId(event);
    const answer = id && isCall(event) ? (answers.get(id) ?? null) : undefined;
    if (answer) joined.add(answer.id);
    all.push({ event, answer });
  }
  return all;
}

/** Events that keep account of a session, and in which nothing is said or done. */
const isBookkeeping = (type) =>
  /^(callback_.*|run_start|run_completed|alert_raised|session_created)$/.test(type);

const textOf = (content) =>
  typeof content === "string"
    ? content
    : (Array.isArray(content) ? content : [])
        .map((part) => (typeof part === "string" ? part : String(part?.text ?? "")))
        .join("");

/** The events without bookkeeping, and without a result that the message before it has told. */
function telling(events) {
  let last = null;
  return events.filter((event) => {
    if (event.event_type === "message") last = textOf(event.content).trim();
    const isDouble = event.event_type === "result" && String(event.result_text).trim() === last;
    return !isDouble && !isBookkeeping(event.event_type);
  });
}

const hasFailed = (event) =>
  /fail|error/i.test(event.event_type) || event.is_error === true || event.success === false;
