/** The spending of a tree, and every limit that applies to it with its owner. */

import { html } from "../base/dom.js";
import { brief, count, dollars, length } from "../base/format.js";
import { table } from "./table.js";

const AMOUNTS = {
  tokens: brief,
  cost: dollars,
  wall: length,
  runs: count,
  sessions: count,
};

const amount = (kind, value) => (AMOUNTS[kind] ?? count)(value);

export function budgetOf(budget) {
  return html`
    <h3 key="spent">Spending of it and all below</h3>
    <p key="amounts">
      ${[
        `${brief(budget.spent.tokens)} tokens`,
        dollars(budget.spent.cost_micros),
        `${length(budget.spent.wall_millis)} of runs`,
        `${count(budget.spent.runs)} runs`,
        `${count(budget.spent.sessions)} sessions`,
      ].join(", ")}
    </p>
    ${budget.limits.length > 0 &&
      table(
        ["Limit", "Spent", "", "Left", "Set by"],
        budget.limits.map((limit) => ({
          key: `${limit.kind}:${limit.set_by}`,
          cells: [
            `${limit.kind}: ${amount(limit.kind, limit.max)}`,
            amount(limit.kind, limit.spent),
            html`
              <meter
                min="0"
                max=${String(limit.max)}
                high=${String(limit.max * 0.8)}
                value=${String(limit.spent)}
                aria-label=${`${limit.kind}, ${amount(limit.kind, limit.spent)} spent`}
              />
            `,
            amount(limit.kind, limit.left),
            limit.set_by,
          ],
        })),
      )}
  `;
}
