/** Tables, and pages that show one answer of the coordinator. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { Fresh } from "../base/fresh.js";

/** A table: headings, and rows of `{ key, cells }`. A cell that is a number stands to the right. */
export function table(headings, rows) {
  return h(
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
    h(
      "tbody",
      null,
      rows.map((row) =>
        h(
          "tr",
          { key: row.key, class: row.class },
          row.cells.map((cell, i) =>
            h(
              "td",
              { key: i, class: typeof cell === "number" ? "number" : undefined },
              shown(cell),
            ),
          ),
        ),
      ),
    ),
  );
}

const shown = (cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell);

/**
 * A page of one answer, read again when something changes. `query()` is asked each time, and
 * `view(value, fresh)` shows the answer.
 */
export function answerPage({ title, path, query = () => ({}), view, refreshes = true }) {
  const fresh = new Fresh((signal) => get(path(), query(), { signal }), app.paint);
  return {
    title: () => title,
    changed: () => refreshes && fresh.refresh(),
    close: () => fresh.close(),
    fresh,
    view: () => {
      if (fresh.value) return view(fresh.value, fresh);
      if (!fresh.error) return h("p", { class: "loading" }, "Loading…");
      return h("p", { class: "refusal" }, fresh.error.message, ". ", fresh.error.advice);
    },
  };
}

export const heading = (title, ...more) =>
  h("header", { class: "page-head" }, h("h1", null, title), more);
