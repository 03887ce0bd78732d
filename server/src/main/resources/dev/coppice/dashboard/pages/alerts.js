/** Sessions that failed, timed out or were lost, newest first. */

import { h } from "../base/dom.js";
import { to } from "../base/address.js";
import { clock } from "../base/format.js";
import { answerPage, heading, table } from "../parts/table.js";
import { badge } from "../parts/state.js";

export const open = () =>
  answerPage({
    title: "Alerts",
    path: () => "/alerts",
    limit: 100,
    view: ({ alerts }) => [
      heading("Alerts", h("span", { class: "hint" }, "newest first")),
      alerts.length === 0 && h("p", { class: "empty" }, "Nothing has failed."),
      alerts.length > 0 &&
        table(
          ["When", "What", "Session", "Why", "Delivery"],
          alerts.map((one) => ({
            key: one.alert_id,
            cells: [
              clock(one.raised_at),
              badge(one.kind),
              h("a", { href: to("session", one.session_id) }, one.session_name),
              one.reason ?? "",
              delivery(one),
            ],
          })),
        ),
    ],
  });

const delivery = (one) =>
  one.error ? `${one.delivery}: ${one.error}` : one.delivery === "unsent" ? "" : one.delivery;
