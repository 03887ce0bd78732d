/** One search box: sessions by a part of their names or by id, and events by their words. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { age, clock } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { badge } from "../parts/state.js";
import { waiting } from "../parts/table.js";

export function open(_argument, query) {
  const text = query.get("q") ?? "";
  const found = new Fresh((signal) => read(text, signal), app.paint);
  return {
    title: () => `Search: ${text}`,
    changed: () => {},
    close: () => found.close(),
    fresh: found,
    view: () => view(text, found),
  };
}

async function read(text, signal) {
  if (!text.trim()) return { sessions: [], events: [] };
  const isName = /^[A-Za-z0-9_.-]{1,60}$/.test(text);
  const [named, one, events] = await Promise.all([
    isName ? get("/sessions", { text, limit: 50 }, { signal }).catch(() => null) : null,
    isName ? withId(text, signal) : null,
    get("/events", { text, limit: 50 }, { signal }).catch(() => null),
  ]);
  const sessions = [...(one ? [one.session] : []), ...(named?.sessions ?? [])];
  return { sessions, events: events?.events ?? [] };
}

/** The session with this id; to ask for its status first is no fault if there is none. */
async function withId(id, signal) {
  const { status } = await get(path`/sessions/${id}/status`, {}, { signal });
  return status === "not_existent" ? null : get(path`/sessions/${id}`, {}, { signal });
}

function view(text, found) {
  if (!found.value) return waiting(found);
  const { sessions, events } = found.value;
  return html`
    <h1>“${text}”</h1>
    <h2>Sessions</h2>
    ${sessions.length === 0 && html`<p class="hint">No session has this in its name.</p>`}
    <ul class="children">
      ${sessions.map((one) => html`
        <li key=${one.session_id}>
          ${badge(one.state)} <a href=${to("session", one.session_id)}>${one.session_name}</a>${" "}
          <span class="hint">${one.path} · ${age(one)}</span>
        </li>
      `)}
    </ul>
    <h2>Events</h2>
    ${events.length === 0 && html`<p class="hint">No event has these words.</p>`}
    <ol class="events">${events.map((found) => eventLine(found))}</ol>
  `;
}

function eventLine({ event, excerpt, matches }) {
  return html`
    <li key=${event.id}>
      <a href=${to("session", event.session_id, { at: event.id + 1 })}>
        ${clock(event.timestamp)}
      </a>${" "}
      <strong>${event.event_type.replaceAll("_", " ")}</strong>${" "}
      <a href=${to("session", event.session_id)} class="hint">${event.session_id}</a>
      <div class="excerpt">${marked(excerpt, matches)}</div>
    </li>
  `;
}

/** The excerpt with what was found in it. */
function marked(text, matches) {
  const parts = [];
  let at = 0;
  for (const [from, end] of matches) {
    parts.push(text.slice(at, from), html`<mark key=${from}>${text.slice(from, end)}</mark>`);
    at = end;
  }
  return [...parts, text.slice(at)];
}
