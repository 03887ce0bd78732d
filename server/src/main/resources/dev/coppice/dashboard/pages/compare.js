/** Two sessions or trees side by side: where they first differ, what each cost and changed. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { brief, count, dollars, length } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { command } from "../parts/copy.js";
import { badge } from "../parts/state.js";
import { heading, table, tableOf, waiting } from "../parts/table.js";

export function open(id, query) {
  const other = query.get("with") ?? "";
  const fresh = other
    ? new Fresh(
        (signal) => get(path`/sessions/${id}/compare`, { with: other }, { signal }),
        app.paint,
      )
    : null;
  const found = { text: "", sessions: [], turn: 0 };
  return {
    title: () => "Compare",
    changed: () => {},
    close: () => fresh?.close(),
    fresh,
    view: () => (fresh ? view(fresh, id, other) : choose(id, found)),
  };
}

/** Finds the other session by a part of its name. */
function choose(id, found) {
  const search = async (text) => {
    found.text = text;
    const turn = ++found.turn;
    const answer = text.trim()
      ? await app.attempt(() => get("/sessions", { text: text.trim(), limit: 20 }))
      : { sessions: [] };
    if (answer && turn === found.turn) found.sessions = answer.sessions;
    app.paint();
  };
  return html`
    ${heading("Compare")}
    <p key="ask">
      <input
        type="search"
        aria-label="Compare with"
        placeholder="Name of the other session"
        autocomplete="off"
        value=${found.text}
        onInput=${(event) => search(event.target.value)}
      />
    </p>
    <ul key="found">
      ${found.sessions
        .filter((one) => one.session_id !== id)
        .map((one) => html`
          <li key=${one.session_id}>
            <a href=${to("compare", id, { with: one.session_id })}>${one.path}</a>
          </li>
        `)}
    </ul>
  `;
}

function view(fresh, id, other) {
  const { value } = fresh;
  if (!value) return waiting(fresh);
  const { a, b } = value;
  return [
    heading("Compare", html`<span key="same">${command(`coppice diff ${id} ${other}`)}</span>`),
    table(["", name(a), name(b)], facts(a, b)),
    html`
      <p key="said" class="said">
        ${value.same
          ? "Both took the same steps."
          : `They differ from step ${count(value.common_steps + 1)} on.`}
      </p>
    `,
    !value.same && steps(value),
    changes(a, b),
  ];
}

const name = (side) => side.session_name;

function facts(a, b) {
  const row = (what, of) => ({ key: what, cells: [what, of(a), of(b)] });
  return [
    row("state", (s) => badge(s.state)),
    row("took", (s) => length(s.duration_ms)),
    row("sessions", (s) => count(s.sessions)),
    row("runs", (s) => count(s.runs)),
    row("steps", (s) => count(s.steps) + (s.cut ? " and more" : "")),
    row("tokens", (s) => brief(s.tokens)),
    row("cost", (s) => dollars(s.cost_micros)),
    row("models", (s) => s.models.map((one) => one.model).join(", ")),
    row("files", (s) => count(s.files.length)),
    row("commits", (s) => count(s.commits.length)),
  ];
}

const steps = (value) =>
  tableOf(
    ["Step", name(value.a), name(value.b)],
    value.rows.map((row) => html`
      <tr key=${row.step} class=${row.same ? undefined : "differs"}>
        <td>${row.same ? "" : "≠ "}${row.step}</td>
        <td>${step(row.a)}</td>
        <td>${step(row.b)}</td>
      </tr>
    `),
  );

const step = (one) =>
  one && html`
    <a key="at" href=${to("session", one.session_id, { at: one.event_id })}>
      ${one.agent} ${one.kind}
    </a>${" "}
    <code key="text">${one.text}</code>
  `;

function changes(a, b) {
  const only = (one, other) => one.files.filter((file) => !other.files.includes(file));
  return html`
    <div class="sides" key="changes">
      ${[
        [a, only(a, b)],
        [b, only(b, a)],
      ].map(([side, files], i) => html`
        <section key=${i} aria-label="Changes of ${side.session_name}">
          <h2>${side.session_name}</h2>
          ${files.length > 0 && html`<p>Only it wrote</p>`}
          <ul>${files.map((file) => html`<li key=${file}><code>${file}</code></li>`)}</ul>
          ${side.commits.length > 0 && html`<p>Commits</p>`}
          <ul>
            ${side.commits.map((one) => html`
              <li key=${one.commit}><code>${one.commit}</code> ${one.subject}</li>
            `)}
          </ul>
        </section>
      `)}
    </div>
  `;
}
