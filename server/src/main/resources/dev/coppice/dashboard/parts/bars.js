/** Amounts as bars, with each amount beside its bar. */

import { h } from "../base/dom.js";

/** Bars for `{ label, value }` in the order given; `said(value)` writes an amount. */
export function bars(name, rows, said) {
  const most = Math.max(...rows.map((row) => row.value), 1);
  return h(
    "ul",
    { class: "plot", "aria-label": name },
    rows.map((row, i) =>
      h(
        "li",
        { class: "plot-row", key: i },
        h("span", { class: "plot-label" }, row.label),
        h("span", { class: "plot-bar", style: { "--share": String(row.value / most) } }),
        h("span", { class: "hint" }, said(row.value)),
      ),
    ),
  );
}
