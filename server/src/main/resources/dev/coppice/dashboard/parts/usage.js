/** The models that a subtree used, and what it spent over time. */

import { html } from "../base/dom.js";
import { brief, clock, count, dollars } from "../base/format.js";
import { bars } from "./bars.js";
import { table } from "./table.js";

export function usageOf(usage) {
  if (usage.tree.length === 0) return null;
  return [
    html`<h3 key="models">Models of it and all below</h3>`,
    table(
      ["Model", "Calls", "Read", "Written", "Cache read", "Cache written", "Cost"],
      usage.tree.map((one) => ({
        key: one.model,
        cells: [
          one.model,
          count(one.calls),
          brief(one.input_tokens),
          brief(one.output_tokens),
          brief(one.cache_read_tokens),
          brief(one.cache_write_tokens + one.cache_write_hour_tokens),
          cost(one),
        ],
      })),
    ),
    usage.over_time.length > 1 && [
      html`<h3 key="time">Cost over time</h3>`,
      bars(
        "Cost over time",
        usage.over_time.map((part) => ({ label: clock(part.from), value: part.cost_micros })),
        dollars,
      ),
    ],
  ];
}

/** A cost that is not known is not shown as none. */
function cost(one) {
  if (one.unpriced_tokens === 0) return dollars(one.cost_micros);
  const rest = `${brief(one.unpriced_tokens)} tokens without a price`;
  return one.cost_micros === 0 ? rest : `${dollars(one.cost_micros)}, ${rest}`;
}
