/** States as a sign, a word and a colour: the colour alone never says it. */

import { html } from "../base/dom.js";

/** The same signs as on the command line. */
const SIGNS = {
  pending: "○",
  queued: "○",
  hooked: "○",
  waiting: "○",
  running: "●",
  claimed: "●",
  idle: "◐",
  stopping: "◌",
  finished: "✓",
  failed: "✗",
  stopped: "■",
  timed_out: "⧗",
  lost: "×",
  asking: "?",
};

const FAILED = new Set(["failed", "timed_out", "lost"]);
const LIVE = new Set(["pending", "running", "idle", "stopping"]);

export const hasFailed = (state) => FAILED.has(state);
export const isLive = (state) => LIVE.has(state);
export const word = (state) => state.replaceAll("_", " ");

/** The kind of a state, which decides its colour. */
export function tone(state) {
  if (FAILED.has(state)) return "failed";
  if (state === "asking") return "asking";
  if (state === "finished") return "finished";
  if (state === "stopped" || state === "stopping") return "stopped";
  return state === "running" || state === "claimed" ? "running" : "quiet";
}

/** The headline of a session, which its row cuts. */
export const headline = (one) =>
  one.headline && html`
    <span class="headline ${one.headline.kind}" title=${one.headline.text} key="headline">
      ${one.headline.text}
    </span>
  `;

/** The failures and questions below a session; the tally includes the session itself. */
export function troubleBelow(tally, state, asks) {
  const failed = tally.failed - (hasFailed(state) ? 1 : 0);
  const asking = tally.asking - (asks ? 1 : 0);
  const parts = [failed > 0 && `${failed} failed`, asking > 0 && `${asking} asking`];
  const said = parts.filter(Boolean).join(", ");
  return said && html`<span class="trouble" key="trouble">${said} below</span>`;
}

/** A state with its word. */
export function badge(state) {
  return html`
    <span class="state ${tone(state)}">
      <span class="sign" aria-hidden="true">${SIGNS[state] ?? "·"}</span>
      ${word(state)}
    </span>
  `;
}

/** Labels of a session that is frozen, or has lost its parent. */
export const marks = (session) => [
  session.frozen_at && mark("frozen", `since ${session.frozen_at}`),
  session.abandoned_at && mark("orphan", "its parent has ended"),
  session.detached_from && mark("detached", `its parent was ${session.detached_from}`),
];

const mark = (name, title) => html`<span class="mark" key=${name} title=${title}>${name}</span>`;

/** The counts of a tally that are not zero, such as "312 finished, 3 failed, 1 waiting". */
export function tally(sum) {
  const parts = [
    ["asking", sum.asking, "waiting"],
    ["failed", sum.failed, "failed"],
    ["running", sum.live - sum.asking, "live"],
    ["stopped", sum.stopped, "stopped"],
    ["finished", sum.finished, "finished"],
  ];
  return parts
    .filter(([, number]) => number > 0)
    .map(([state, number, said]) => html`
      <span class="count ${tone(state)}" key=${state}>
        <span class="sign" aria-hidden="true">${SIGNS[state]}</span>
        ${number.toLocaleString("en")} ${said}
      </span>
    `);
}

/** The state of a session as rows show it: a question comes before all. */
export const shown = (session, question) => (question ? "asking" : session.state);
