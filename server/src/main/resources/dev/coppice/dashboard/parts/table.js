/** Tables, and pages that show one answer of the coordinator. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";

/** A table: headings, and rows of `{ key, cells }`. A cell that is a number stands to the right. */
export const table = (headings, rows) =>
  tableOf(
    headings,
    rows.map((row) => tableRow(row)),
  );

const tableRow = kept((row) => html`
  <tr key=${row.key} class=${row.class}>
    ${row.cells.map((cell, i) => html`
      <td key=${i} class=${typeof cell === "number" ? "number" : undefined}>${shown(cell)}</td>
    `)}
  </tr>
`);

/** A table whose rows are views already. */
export const tableOf = (headings, rows) => html`
  <table class="list">
    <thead>
      <tr>${headings.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr>
    </thead>
    <tbody>${rows}</tbody>
  </table>
`;

const shown = (cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell);

/**
 * A page of one answer, read again when something changes. `query()` is asked each time, and
 * `view(value, fresh)` shows the answer; with a limit, it is a list that may go on.
 */
export function answerPage({ title, path, query = () => ({}), limit = 0, view, refreshes = true }) {
  const size = { limit };
  const fresh = new Fresh(
    (signal) => get(path(), { ...query(), limit: size.limit || undefined }, { signal }),
    app.paint,
  );
  return {
    title: () => title,
    changed: () => refreshes && fresh.refresh(),
    close: () => fresh.close(),
    fresh,
    view: () =>
      fresh.value
        ? [view(fresh.value, fresh), limit > 0 && more(fresh.value, size, fresh)]
        : waiting(fresh),
  };
}

/** In place of an answer that has not come, or was refused. */
export const waiting = ({ error }) =>
  error
    ? html`<p class="refusal" role="alert">${error.message}. ${error.advice}</p>`
    : html`<p class="loading">Loading…</p>`;

const LIMIT_MAX = 1_000;

/** Says that a list goes on, and shows more of it; `size.limit` is the length of the list. */
export function more(value, size, fresh) {
  if (!value.next) return null;
  if (size.limit >= LIMIT_MAX) {
    return html`<p class="hint" key="more">There are more than these ${LIMIT_MAX}.</p>`;
  }
  const show = () => {
    size.limit = Math.min(LIMIT_MAX, size.limit * 2);
    fresh.restart();
  };
  return html`<button key="more" onClick=${show}>Show more</button>`;
}

export const heading = (title, ...more) => html`
  <header class="page-head"><h1>${title}</h1>${more}</header>
`;
