/**
 * The plan of a removal as a picture: what goes, what stays and what is in the way, first as a bar
 * and then session by session.
 */

import { html } from "../base/dom.js";
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
  return html`
    <div class="picture">
      <div class="bar" role="img" aria-label=${`${many(plan.sessions, "session")} by state`}>
        ${states.map(([state, number]) => html`
          <span
            class="part ${tone(state)}"
            key=${state}
            title=${`${number} ${state}`}
            style=${{ "--share": String(number / total) }}
          />
        `)}
      </div>
      <p>
        <strong>${many(plan.sessions, "session")}</strong>${" "}
        ${plan.sessions === 1 ? "goes" : "go"}, with ${many(plan.runs, "run")} and${" "}
        ${many(plan.events, "event")} (${bytes(plan.event_bytes)}):${" "}
        ${states.map(([state, number]) => html`
          <span key=${state}>${badge(state)} ${count(number)} </span>
        `)}
      </p>
      ${plan.processes > 0 && html`
        <p>${many(plan.processes, "process", "processes")} would end.</p>
      `}
      ${plan.outside.map((one) => html`
        <p key="${one.hostname}:${one.pid}">
          ${one.program} ${one.pid} on ${one.hostname}${" "}
          ${one.may_stop ? "ends." : "goes on, and may write again."}
        </p>
      `)}
      ${live(plan) > 0 && html`
        <p>What is live ends (${count(live(plan))}); an undo brings it back as stopped.</p>
      `}
      ${plan.work.map((one) => workLine(one, plan))}
      ${tree(plan)}
    </div>
  `;
}

const live = (plan) =>
  Object.entries(plan.sessions_by_state)
    .filter(([state]) => isLive(state))
    .reduce((sum, [, number]) => sum + number, 0);

function workLine(one, plan) {
  if (!one.unsaved) return null;
  const isLost = plan.choices.work === "discard";
  return html`
    <p class=${isLost ? "refusal" : "kept"} key="${one.host}:${one.directory}">
      ${isLost ? "Lost for good: " : "Preserved first: "}
      <code>${one.directory}</code> ${unsaved(one)} (${bytes(one.bytes)})
    </p>
  `;
}

function tree(plan) {
  const { rows, total } = plan.outline;
  const critical = new Set(plan.critical_operations.map((one) => one.session_name));
  return html`
    <ul class="goes" tabindex="0" aria-label="What goes, what stays and what is in the way">
      ${rows.map((row) => {
        const [fate, tone] = fateOf(row, plan, critical);
        return html`
          <li key=${row.id} style=${{ "--level": String(row.level) }}>
            <span class="fate ${tone}">${fate}</span>
            ${row.session ? sessionOf(row) : [row.kind, " ", tally(row.tally)]}
          </li>
        `;
      })}
      ${total > rows.length && html`<li>and ${many(total - rows.length, "more row")}</li>`}
    </ul>
  `;
}

const sessionOf = (row) => html`
  <span key="name">${row.session.session_name}</span>
  <span key="state">${badge(shown(row.session, row.question))}</span>
  ${row.openness === "closed" && html`<span class="sums" key="sums">${tally(row.tally)}</span>`}
`;

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
