/**
 * The first page: questions to the person before all else, then failures that nobody has looked at,
 * then the sessions at work, then the rest. Each lane keeps the order of birth.
 */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { to } from "../base/address.js";
import { ago, brief, count, dollars, length, many } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { openMenu } from "../parts/menu.js";
import { questionOf } from "../parts/question.js";
import { isSeen, see } from "../parts/seen.js";
import { badge, hasFailed, headline } from "../parts/state.js";
import { waiting } from "../parts/table.js";

const SESSIONS_MAX = 300;

/** A failure of the night is still there in the morning. */
const FAILED_HOURS = 72;
const LANES = [
  ["asks", "Waits for you"],
  ["failed", "Failed"],
  ["working", "At work"],
  ["idle", "Idle"],
  ["seen", "Seen"],
];

/** The lane of a session. */
function laneOf(one) {
  if (one.question) return isSeen(one.question) ? "seen" : "asks";
  if (hasFailed(one.state)) return isSeen(one) ? "seen" : "failed";
  return one.state === "idle" ? "idle" : "working";
}

export function open() {
  const activity = new Fresh(
    (signal) => get("/activity", { limit: SESSIONS_MAX, failed_hours: FAILED_HOURS }, { signal }),
    app.paint,
  );
  return {
    title: () => title(activity.value),
    changed: () => activity.refresh(),
    close: () => activity.close(),
    fresh: activity,
    view: () => view(activity),
  };
}

function title(value) {
  const waiting = value?.sum.asking ?? 0;
  return waiting ? `(${waiting}) Now` : "Now";
}

function view(activity) {
  if (!activity.value) return waiting(activity);
  const { sessions, sum } = activity.value;
  if (sessions.length === 0) return empty();
  const born = [...sessions].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const lanes = Map.groupBy(born, laneOf);
  return [
    html`<h1 class="visually-hidden">Now</h1>`,
    figures(sum, lanes, sessions),
    LANES.filter(([lane]) => lanes.has(lane)).map(([lane, name]) =>
      laneView(lane, name, lanes.get(lane)),
    ),
  ];
}

const empty = () => html`
  <div class="empty">
    <h1>Nothing is at work</h1>
    <p>Start something in a terminal, and watch it appear here:</p>
    <pre>coppice start hello --agent scripted -p 'say hello'</pre>
    <p><a href=${to("trees")}>Trees that have ended</a></p>
  </div>
`;

/** The figures are of all, although the lanes hold only some when there are very many. */
function figures(sum, lanes, sessions) {
  const seenFailures = (lanes.get("seen") ?? []).filter((one) => hasFailed(one.state)).length;
  const busy = sessions.reduce((all, one) => all + one.use.cpu_share, 0);
  const left = sum.live + sum.failed - sessions.length;
  const figure = (name, value) => html`
    <div class="figure" key=${name}>
      <dd>${value}</dd>
      <dt>${name}</dt>
    </div>
  `;
  return html`
    <dl class="figures">
      ${figure("wait for you", count(sum.asking))}
      ${figure("failed", count(sum.failed - seenFailures))}
      ${figure("live", count(sum.live))}
      ${figure("idle", count(sum.idle))}
      ${figure("tokens", brief(sum.tokens))}
      ${figure("spent", dollars(sum.cost_micros))}
      ${figure("processors", busy.toFixed(1))}
      ${left > 0 && html`
        <div class="figure" key="left">
          <dd><a href=${to("trees")}>All trees</a></dd>
          <dt>${count(left)} more than are shown here</dt>
        </div>
      `}
    </dl>
  `;
}

function laneView(lane, name, sessions) {
  return html`
    <section class="lane ${lane}" key=${lane} aria-label=${name}>
      <h2>
        ${name} <span class="hint">${count(sessions.length)}</span>
        ${lane === "failed" && html`
          <button class="quiet" onClick=${() => see(...sessions)}>mark all as seen</button>
        `}
      </h2>
      <ul class="cards">${sessions.map(card)}</ul>
    </section>
  `;
}

/** A question has choices that were begun, so only the line above it is kept. */
const card = (one) => html`
  <li class="card" key=${one.session_id}>
    ${head(one, isSeen(one), doing(one))}
    ${one.question && questionOf(one.question)}
  </li>
`;

const head = kept((one, wasSeen, did) => {
  const parents = one.path.split(".").slice(0, -1).join(" › ");
  return html`
    <div class="card-head">
      ${badge(one.question ? "asking" : one.state)}
      <a href=${to("session", one.session_id)} class="label">${one.session_name}</a>
      ${!one.question && headline(one)}
      ${parents && html`<span class="hint path" title=${one.path}>in ${parents}</span>`}
      <span class="grow" />
      ${one.living_below > 0 && html`
        <span class="hint">
          ${`${many(one.living_below, "live")} below`.replace("lives", "live")}
        </span>
      `}
      ${one.tokens > 0 && html`<span class="hint">${brief(one.tokens)} tokens</span>`}
      ${one.cost_micros > 0 && html`<span class="hint">${dollars(one.cost_micros)}</span>`}
      ${oddities(one)}
      <span class="hint">${did}</span>
      ${!one.question &&
        hasFailed(one.state) &&
        !wasSeen && html`<button class="quiet" onClick=${() => see(one)}>seen</button>`}
      ${app.mayAct && html`
        <button
          class="quiet"
          aria-label="Actions on ${one.session_name}"
          onClick=${() => openMenu(one, { live: one.living_below + (one.ended_at ? 0 : 1) })}
        >
          ⋯
        </button>
      `}
    </div>
  `;
});

/** A card stays where it is when its session falls silent. */
function oddities(one) {
  if (one.question || one.ended_at) return null;
  if (one.attention === "silent") return html`<span class="mark odd">silent</span>`;
  return one.attention === "burning" && html`<span class="mark odd">burning</span>`;
}

function doing(one) {
  if (one.ended_at) return `${ago(one.ended_at)} ago`;
  return `${length(one.silence_ms)} ago`;
}
