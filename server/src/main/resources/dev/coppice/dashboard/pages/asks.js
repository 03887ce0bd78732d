/** Shows the questions of agents, how they were answered, and the answers in advance. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { clock } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { said } from "../parts/digest.js";
import { questionOf } from "../parts/question.js";
import { standingTable } from "../parts/standing.js";
import { heading, table, waiting } from "../parts/table.js";

const LIMIT = 100;
const SESSIONS_MAX = 300;

/** The events by which agents ask a person. */
const ASKED = ["question", "permission_request", "PermissionRequest", "Elicitation"];

export function open() {
  const fresh = new Fresh(read, app.paint);
  return {
    title: () => "Questions",
    changed: () => fresh.refresh(),
    close: () => fresh.close(),
    fresh,
    view: () => view(fresh),
  };
}

async function read(signal) {
  const ask = (address, query) => get(address, query, { signal });
  const [asks, standing, active, found] = await Promise.all([
    ask("/asks", { all: true, limit: LIMIT }),
    ask("/standing-answers", { limit: LIMIT }),
    ask("/activity", { limit: SESSIONS_MAX }),
    ask("/events", { types: ASKED, limit: LIMIT }),
  ]);
  const open = active.sessions.filter((one) => one.question);
  const isOpen = new Set(open.map((one) => one.question.event_id));
  // What a program waits for is in both lists.
  const isHeld = new Set(asks.asks.map((one) => one.event_id));
  const settled = found.events
    .map((one) => one.event)
    .filter((event) => !isOpen.has(event.id) && !isHeld.has(event.id));
  await Promise.all(settled.map((event) => learn(event.session_id, signal)));
  return { asks: asks.asks, standing: standing.standing_answers, open, settled };
}

/** The names of sessions: those that asked before may have ended long ago. */
const names = new Map();

async function learn(id, signal) {
  if (names.has(id)) return;
  names.set(id, id);
  const found = await get(path`/sessions/${id}`, {}, { signal }).catch(() => null);
  if (found) names.set(id, found.session.session_name);
}

function view(fresh) {
  const { value } = fresh;
  if (!value) return waiting(fresh);
  return [
    heading("Questions"),
    value.open.length === 0 && html`<p class="empty" key="none">Nobody waits for you.</p>`,
    value.open.length > 0 && html`
      <section class="lane asks" key="open" aria-label="Waits for you">
        <h2>Waits for you <span class="hint">${value.open.length}</span></h2>
        <ul class="cards">${value.open.map(card)}</ul>
      </section>
    `,
    value.settled.length > 0 && html`<h2 key="settled">Asked by agents before</h2>`,
    value.settled.length > 0 &&
      table(
        ["When", "Session", "Question"],
        value.settled.map((event) => settledLine(event, clock(event.timestamp))),
      ),
    value.asks.length > 0 && html`<h2 key="held">For which programs waited</h2>`,
    value.asks.length > 0 &&
      table(
        ["When", "Session", "Tool", "For", "State", "By"],
        value.asks.map((one) => line(one, clock(one.asked_at))),
      ),
    html`<h2>Answers in advance</h2>`,
    value.standing.length === 0 && html`
      <p class="empty">None. A question can be answered for a time, too.</p>
    `,
    value.standing.length > 0 && standingTable(value.standing, () => fresh.refresh()),
  ];
}

const card = (one) => html`
  <li class="card" key=${one.session_id}>
    <a href=${to("session", one.session_id)} class="label">${one.session_name}</a>
    ${questionOf(one.question)}
  </li>
`;

const settledLine = kept((event, at) => ({
  key: event.id,
  cells: [
    at,
    html`
      <a href=${to("session", event.session_id, { at: event.id + 1 })}>
        ${names.get(event.session_id) ?? event.session_id}
      </a>
    `,
    said(event),
  ],
}));

const line = kept((one, at) => ({
  key: one.ask_id,
  cells: [
    at,
    html`<a href=${to("session", one.session_id)}>${one.session_name}</a>`,
    one.tool_name,
    html`<code>${one.subject}</code>`,
    one.reason ? `${one.state}: ${one.reason}` : one.state,
    (one.settled_by ?? "").toLowerCase(),
  ],
}));
