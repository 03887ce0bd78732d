/** Amounts as bars, with each amount beside its bar. */

import { html } from "../base/dom.js";

/** Bars for `{ label, value }` in the order given; `said(value)` writes an amount. */
export function bars(name, rows, said) {
  const most = Math.max(...rows.map((row) => row.value), 1);
  return html`
    <ul class="plot" aria-label=${name}>
      ${rows.map((row, i) => html`
        <li class="plot-row" key=${i}>
          <span class="plot-label">${row.label}</span>
          <span class="plot-bar" style=${{ "--share": String(row.value / most) }} />
          <span class="hint">${said(row.value)}</span>
        </li>
      `)}
    </ul>
  `;
}
