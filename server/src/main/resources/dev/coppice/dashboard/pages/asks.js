/** Shows the questions of agents, how they were answered, and the answers in advance. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { to } from "../base/address.js";
import { clock } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { standingTable } from "../parts/standing.js";
import { heading, table } from "../parts/table.js";

const LIMIT = 100;

export function open() {
  const fresh = new Fresh(read, app.paint);
  return {
    title: () => "Questions",
    changed: () => fresh.refresh(),
    close: () => fresh.close(),
    fresh,
    view: () => view(fresh),
  };
}

async function read(signal) {
  const [asks, standing] = await Promise.all([
    get("/asks", { all: true, limit: LIMIT }, { signal }),
    get("/standing-answers", { limit: LIMIT }, { signal }),
  ]);
  return { asks: asks.asks, standing: standing.standing_answers };
}

function view(fresh) {
  const { value, error } = fresh;
  if (error && !value) return h("p", { class: "refusal" }, error.message, ". ", error.advice);
  if (!value) return h("p", { class: "loading" }, "Loading…");
  return [
    heading("Questions", h("span", { class: "hint" }, "open ones are answered on Now")),
    value.asks.length === 0 && h("p", { class: "empty" }, "No program has waited for an answer."),
    value.asks.length > 0 &&
      table(
        ["When", "Session", "Tool", "For", "State", "By"],
        value.asks.map((one) => ({
          key: one.ask_id,
          cells: [
            clock(one.asked_at),
            h("a", { href: to("session", one.session_id) }, one.session_name),
            one.tool_name,
            h("code", null, one.subject),
            one.reason ? `${one.state}: ${one.reason}` : one.state,
            (one.settled_by ?? "").toLowerCase(),
          ],
        })),
      ),
    h("h2", null, "Answers in advance"),
    value.standing.length === 0 &&
      h("p", { class: "empty" }, "None. A question can be answered for a time, too."),
    value.standing.length > 0 && standingTable(value.standing, () => fresh.refresh()),
  ];
}
