/** Tables, and pages that show one answer of the coordinator. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { Fresh } from "../base/fresh.js";

/** A table: headings, and rows of `{ key, cells }`. A cell that is a number stands to the right. */
export function table(headings, rows) {
  return tableOf(
    headings,
    rows.map((row) =>
      h(
        "tr",
        { key: row.key, class: row.class },
        row.cells.map((cell, i) =>
          h("td", { key: i, class: typeof cell === "number" ? "number" : undefined }, shown(cell)),
        ),
      ),
    ),
  );
}

/** A table whose rows are views already. */
export const tableOf = (headings, rows) =>
  h(
    "table",
    { class: "list" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        headings.map((name) => h("th", { key: name, scope: "col" }, name)),
      ),
    ),
    h("tbody", null, rows),
  );

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
    ? h("p", { class: "refusal", role: "alert" }, error.message, ". ", error.advice)
    : h("p", { class: "loading" }, "Loading…");

const LIMIT_MAX = 1_000;

/** Says that a list goes on, and shows more of it; `size.limit` is the length of the list. */
export function more(value, size, fresh) {
  if (!value.next) return null;
  if (size.limit >= LIMIT_MAX) {
    return h("p", { class: "hint", key: "more" }, `There are more than these ${LIMIT_MAX}.`);
  }
  const show = () => {
    size.limit = Math.min(LIMIT_MAX, size.limit * 2);
    fresh.restart();
  };
  return h("button", { key: "more", onClick: show }, "Show more");
}

export const heading = (title, ...more) =>
  h("header", { class: "page-head" }, h("h1", null, title), more);
