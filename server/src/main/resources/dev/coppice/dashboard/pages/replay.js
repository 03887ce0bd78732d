/** The events of a tree played as they happened, with a slider over all of them. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { replace, to } from "../base/address.js";
import { clock, count } from "../base/format.js";
import { command } from "../parts/copy.js";
import { eventLine } from "../parts/events.js";
import { heading } from "../parts/table.js";

const PAGE = 500;
const EVENTS_MAX = 20_000;
const SHOWN = 200;
const LONGEST_MILLIS = 3_000;
const SPEEDS = [1, 10, 60, 600];

export function open(id, query) {
  const state = {
    events: [],
    names: new Map(),
    at: 0,
    from: Number(query.get("from")) || 0,
    speed: 10,
    isPlaying: false,
    isRead: false,
    isCut: false,
    isLate: false,
    error: null,
    timer: null,
    closed: false,
  };
  read(id, state);
  return {
    title: () => "Replay",
    changed: () => {},
    close: () => {
      state.closed = true;
      clearTimeout(state.timer);
    },
    key: (event) => keys(event, state),
    view: () => view(id, state),
  };
}

async function read(id, state) {
  try {
    const { session } = await get(path`/sessions/${id}`);
    state.names.set(id, session.session_name);
    await readFrom(id, 0, state);
    // A tree with very many events is played from where the address says.
    const isBeyond = state.isCut && state.events.at(-1).id < state.from;
    if (isBeyond) await readFrom(id, state.from - 1, state);
    const first = state.events.findIndex((one) => one.id >= state.from);
    state.at = Math.max(0, first);
  } catch (problem) {
    state.error = problem;
  }
  state.isRead = true;
  app.paint();
}

async function readFrom(id, number, state) {
  state.events = [];
  state.isLate = number > 0;
  let after = number;
  let isMore = true;
  while (!state.closed && isMore && state.events.length < EVENTS_MAX) {
    const page = await get(path`/sessions/${id}/events`, { after, limit: PAGE, tree: true });
    isMore = page.events.length > 0;
    state.events.push(...page.events);
    after = page.events.at(-1)?.id;
    app.paint();
  }
  state.isCut = isMore;
}

/** The name of a session, asked for once; its id until it is known. */
function nameOf(state, id) {
  if (!state.names.has(id)) {
    state.names.set(id, id);
    get(path`/sessions/${id}`).then(
      ({ session }) => {
        state.names.set(id, session.session_name);
        app.paint();
      },
      () => {},
    );
  }
  return state.names.get(id);
}

function keys(event, state) {
  if (event.key === " ") toggle(state);
  else if (event.key === "ArrowRight") move(state, state.at + 1);
  else if (event.key === "ArrowLeft") move(state, state.at - 1);
  else return false;
  return true;
}

function move(state, at) {
  state.at = Math.min(Math.max(0, at), Math.max(0, state.events.length - 1));
  app.paint();
}

function toggle(state) {
  state.isPlaying = !state.isPlaying;
  clearTimeout(state.timer);
  if (state.isPlaying) {
    if (state.at >= state.events.length - 1) state.at = 0;
    next(state);
  }
  app.paint();
}

/** Waits for as long as the tree did, by its speed and not for ever. */
function next(state) {
  const now = state.events[state.at];
  const then = state.events[state.at + 1];
  if (!then) {
    state.isPlaying = false;
    app.paint();
    return;
  }
  const millis = (Date.parse(then.timestamp) - Date.parse(now.timestamp)) / state.speed || 0;
  state.timer = setTimeout(
    () => {
      if (state.closed || !state.isPlaying) return;
      move(state, state.at + 1);
      next(state);
    },
    Math.min(Math.max(0, millis), LONGEST_MILLIS),
  );
}

function view(id, state) {
  if (state.error) {
    return html`<p class="refusal">${state.error.message}. ${state.error.advice}</p>`;
  }
  if (!state.isRead) return html`<p class="loading">Loading… ${count(state.events.length)}</p>`;
  if (state.events.length === 0) return html`<p class="empty">Nothing has happened.</p>`;
  const now = state.events[state.at];
  const shown = state.events.slice(Math.max(0, state.at + 1 - SHOWN), state.at + 1);
  return html`
    ${heading(
      "Replay",
      html`<a key="of" href=${to("session", id)}>${state.names.get(id)}</a>`,
      html`<span key="same">${command(`coppice replay ${id} --from ${now.id}`)}</span>`,
    )}
    <div class="player" key="player">
      <button onClick=${() => toggle(state)}>${state.isPlaying ? "Pause" : "Play"}</button>
      <input
        type="range"
        aria-label="Event"
        aria-valuetext="event ${now.id}, ${clock(now.timestamp)}"
        min="0"
        max=${String(state.events.length - 1)}
        value=${String(state.at)}
        onInput=${(event) => move(state, Number(event.target.value))}
        onChange=${() => replace(to("replay", id, { from: state.events[state.at].id }))}
      />
      <select
        aria-label="Speed"
        value=${String(state.speed)}
        onChange=${(event) => {
          state.speed = Number(event.target.value);
        }}
      >
        ${SPEEDS.map((one) => html`<option key=${one} value=${String(one)}>${one}×</option>`)}
      </select>
      <span class="hint">
        ${count(state.at + 1)} of ${count(state.events.length)}, event ${now.id},${" "}
        ${clock(now.timestamp)}
      </span>
    </div>
    ${(state.isLate || state.isCut) && html`<p class="hint" key="part">${part(id, state)}</p>`}
    <ol class="events" key="events" aria-label="Events up to here">
      ${shown.toReversed().map((one) => eventLine(one, nameOf(state, one.session_id)))}
    </ol>
  `;
}

/** The page holds a part of a tree with very many events. */
const part = (id, state) => [
  `This page plays ${count(state.events.length)} events at once. `,
  state.isLate && html`<a href=${to("replay", id)} key="first">From the beginning</a>`,
  state.isLate && state.isCut && " · ",
  state.isCut && html`
    <a href=${to("replay", id, { from: state.events.at(-1).id + 1 })} key="next">
      From event ${state.events.at(-1).id + 1}
    </a>
  `,
];
