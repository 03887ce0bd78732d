/** Shows the questions of agents, how they were answered, and the answers in advance. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { to } from "../base/address.js";
import { clock } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { standingTable } from "../parts/standing.js";
import { heading, table, waiting } from "../parts/table.js";

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
  const { value } = fresh;
  if (!value) return waiting(fresh);
  return [
    heading("Questions", html`<span class="hint">open ones are answered on Now</span>`),
    value.asks.length === 0 && html`<p class="empty">No program has waited for an answer.</p>`,
    value.asks.length > 0 &&
      table(
        ["When", "Session", "Tool", "For", "State", "By"],
        value.asks.map((one) => line(one, clock(one.asked_at))),
      ),
    html`<h2>Answers in advance</h2>`,
    value.standing.length === 0 && html`
      <p class="empty">None. A question can be answered for a time, too.</p>
    `,
    value.standing.length > 0 && standingTable(value.standing, () => fresh.refresh()),
  ];
}

const line = kept((one, at) => ({
  key: one.ask_id,
  cells: [
    at,
    html`<a href=${to("session", one.session_id)}>${one.session_name}</a>`,
    one.tool_name,
    html`<code>${one.subject}</code>`,
    one.reason ? `${one.state}: ${one.reason}` : one.state,
    (one.settled_by ?? "").toLowerCase(),
  ],
}));
