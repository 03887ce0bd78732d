/**
 * The plan of a removal as a picture: what goes, what stays and what is in the way, first as a bar
 * and then session by session.
 */

import { h } from "../base/dom.js";
import { get, path } from "../base/api.js";
import { bytes, count, many } from "../base/format.js";
import { badge, isLive, shown, tally, tone } from "./state.js";
import { unsaved } from "./work.js";

/** Rows of the tree that a plan shows; many siblings are one row. */
const ROWS = 100;
const LEVELS = 3;

/** Reads the plan for some choices, with the rows of its tree. */
export async function readPlan(id, choices, signal) {
  const [plan, outline] = await Promise.all([
    get(path`/sessions/${id}/removal-plan`, choices, { signal }),
    get(path`/sessions/${id}/outline`, { levels: LEVELS, limit: ROWS }, { signal }),
  ]);
  return { ...plan, outline };
}

export function picture(plan) {
  const states = Object.entries(plan.sessions_by_state);
  const total = Math.max(1, plan.sessions);
  return h(
    "div",
    { class: "picture" },
    h(
      "div",
      { class: "bar", role: "img", "aria-label": `${many(plan.sessions, "session")} by state` },
      states.map(([state, number]) =>
        h("span", {
          class: `part ${tone(state)}`,
          key: state,
          title: `${number} ${state}`,
          style: { "--share": String(number / total) },
        }),
      ),
    ),
    h(
      "p",
      null,
      h("strong", null, many(plan.sessions, "session")),
      ` ${plan.sessions === 1 ? "goes" : "go"}, with ${many(plan.runs, "run")}`,
      ` and ${many(plan.events, "event")}`,
      ` (${bytes(plan.event_bytes)}): `,
      states.map(([state, number]) =>
        h("span", { key: state }, badge(state), ` ${count(number)} `),
      ),
    ),
    plan.processes > 0 &&
      h("p", null, `${many(plan.processes, "process", "processes")} would end.`),
    plan.outside.map((one) =>
      h(
        "p",
        { key: `${one.hostname}:${one.pid}` },
        `${one.program} ${one.pid} on ${one.hostname} `,
        one.may_stop ? "ends." : "goes on, and may write again.",
      ),
    ),
    live(plan) > 0 &&
      h("p", null, `What is live ends (${count(live(plan))}); an undo brings it back as stopped.`),
    plan.work.map((one) => workLine(one, plan)),
    tree(plan),
  );
}

const live = (plan) =>
  Object.entries(plan.sessions_by_state)
    .filter(([state]) => isLive(state))
    .reduce((sum, [, number]) => sum + number, 0);

function workLine(one, plan) {
  if (!one.unsaved) return null;
  const isLost = plan.choices.work === "discard";
  return h(
    "p",
    { class: isLost ? "refusal" : "kept", key: `${one.host}:${one.directory}` },
    isLost ? "Lost for good: " : "Preserved first: ",
    h("code", null, one.directory),
    ` ${unsaved(one)} (${bytes(one.bytes)})`,
  );
}

function tree(plan) {
  const { rows, total } = plan.outline;
  const critical = new Set(plan.critical_operations.map((one) => one.session_name));
  return h(
    "ul",
    { class: "goes", tabindex: "0", "aria-label": "What goes, what stays and what is in the way" },
    rows.map((row) => {
      const [fate, tone] = fateOf(row, plan, critical);
      return h(
        "li",
        { key: row.id, style: { "--level": String(row.level) } },
        h("span", { class: `fate ${tone}` }, fate),
        row.session ? sessionOf(row) : [row.kind, " ", tally(row.tally)],
      );
    }),
    total > rows.length && h("li", null, `and ${many(total - rows.length, "more row")}`),
  );
}

const sessionOf = (row) => [
  h("span", { key: "name" }, row.session.session_name),
  h("span", { key: "state" }, badge(shown(row.session, row.question))),
  row.openness === "closed" && h("span", { class: "sums", key: "sums" }, tally(row.tally)),
];

/** The fate of a session in the plan, and the tone of that. */
function fateOf(row, { choices, outline, refusals, live_runs }, critical) {
  if (choices.children === "detach" && row.id !== outline.rows[0].id) return ["stays", "kept"];
  const isCritical = critical.has(row.session?.session_name) && choices.critical === "refuse";
  const lives = row.session ? isLive(row.session.state) : row.tally.live > 0;
  const isRunning = lives && refusals.some((one) => one.code === "still_running");
  if (isCritical || isRunning) return ["in the way", "refusal"];
  const stops = lives && live_runs > 0 && row.session?.state !== "pending";
  return [stops ? "stops, goes" : "goes", "hint"];
}
