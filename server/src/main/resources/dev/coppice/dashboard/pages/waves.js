/** Waves: how far they are, how well they used their time, and what held them up. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { path, post } from "../base/api.js";
import { to } from "../base/address.js";
import { brief, clock, dollars, length, many, now } from "../base/format.js";
import { Chart } from "../parts/chart.js";
import { command } from "../parts/copy.js";
import { answerPage, heading, table } from "../parts/table.js";
import { badge } from "../parts/state.js";

export const open = (argument, query) => (argument ? one(argument) : all(query.get("within")));

/** All waves, or those of a session and of all below it. */
const all = (within) =>
  answerPage({
    title: "Waves",
    path: () => "/waves",
    query: () => ({ session_id: within }),
    limit: 100,
    view: ({ waves }) => [
      heading(
        "Waves",
        within && html`
          <span key="within">of <a href=${to("session", within)}>${within}</a></span>
          <span key="below">and below it</span>
          <a key="all" href=${to("waves")}>all waves</a>
        `,
      ),
      waves.length === 0 && html`
        <p class="empty">No wave was started, and no sessions worked side by side.</p>
      `,
      waves.length > 0 &&
        table(
          ["Wave", "State", "Progress", "Took", "Efficiency", "Slowest", "Tokens", "Cost"],
          waves.map((wave) => ({
            key: wave.wave_id,
            cells: [
              [
                html`<a href=${to("waves", wave.wave_id)} key="name">${wave.name}</a>`,
                wave.evidence === "inferred" && html`<span class="mark" key="mark">inferred</span>`,
              ],
              badge(wave.state),
              progress(wave),
              length(wave.wall_ms),
              percent(wave.efficiency),
              wave.slowest ? `${wave.slowest.name}, ${length(wave.slowest.ms)}` : "",
              wave.tokens ? brief(wave.tokens) : "",
              wave.cost_micros ? dollars(wave.cost_micros) : "",
            ],
          })),
        ),
    ],
  });

const percent = (share) => `${Math.round(share * 100)} %`;

const progress = (wave) => [
  html`<progress key="bar" max="1" value=${String(wave.progress)} aria-label="progress" />`,
  ` ${counts(wave.counts)}`,
];

function counts(sum) {
  const parts = [
    [sum.done, "done"],
    [sum.busy, "busy"],
    [sum.waiting, "waiting"],
    [sum.failed, "failed"],
    [sum.lost, "skipped or removed"],
    [sum.cancelled, "cancelled"],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, said]) => `${number} ${said}`)
    .join(", ");
}

function one(id) {
  const chart = new Chart({
    told: app.paint,
    opened: (session) => (location.hash = to("session", session)),
  });
  const page = answerPage({
    title: "Wave",
    path: () => path`/waves/${id}`,
    view: (answer) => waveView(answer.wave ?? answer, chart),
  });
  return { ...page, key: (event) => chart.key(event) };
}

function waveView(wave, chart) {
  show(wave, chart);
  const mayStop = app.mayAct && !wave.ended_at && wave.evidence !== "inferred";
  const stop = () => app.attempt(() => post(path`/waves/${wave.wave_id}/stop`));
  return html`
    ${heading(
      wave.name,
      badge(wave.state),
      html`
        <span class="hint">${percent(wave.progress)} of ${many(wave.counts.total, "member")}</span>
      `,
      html`<span class="grow" />`,
      mayStop && html`<button class="danger" onClick=${stop}>Stop</button>`,
      mayStop && command(`coppice wave stop ${wave.wave_id}`),
    )}
    <dl class="figures">
      ${figure("took", length(wave.wall_ms))}
      ${figure("of work", length(wave.work_ms))}
      ${figure("busy at once, at most", String(wave.peak))}
      ${figure("efficiency", percent(wave.efficiency))}
      ${figure("slowest", wave.slowest ? wave.slowest.name : "–")}
      ${figure("tokens", brief(wave.tokens))}
      ${figure("cost", dollars(wave.cost_micros))}
    </dl>
    ${wave.phases.length > 1 && html`
      <p>
        ${wave.phases.map((phase) => html`
          <span class="phase" key=${phase.name}>
            ${badge(phase.state)} ${phase.name}: ${counts(phase.counts)}${" "}
          </span>
        `)}
      </p>
    `}
    ${wave.critical_path?.length > 0 && html`
      <p class="hint">
        Critical path: ${wave.critical_path.map((step) => step.name ?? step).join(" → ")}
      </p>
    `}
    <div class="short">${chart.view("Members over time")}</div>
    ${table(
      ["Member", "State", "Phase", "After", "Began", "Took", "Why"],
      wave.members.map((member) => ({
        key: member.name,
        cells: [
          member.session_id
            ? html`<a href=${to("session", member.session_id)}>${member.name}</a>`
            : member.name,
          badge(member.state),
          member.phase ?? "",
          member.after.join(", "),
          clock(member.started_at),
          member.started_at ? length(member.ms) : "",
          member.reason ?? "",
        ],
      })),
    )}
  `;
}

const figure = (name, value) => html`
  <div class="figure" key=${name}>
    <dd>${value}</dd>
    <dt>${name}</dt>
  </div>
`;

/** The members as lanes; an arrow comes from what a member waited for. */
function show(wave, chart) {
  const started = wave.members.filter((member) => member.started_at);
  const ids = new Map(started.map((member) => [member.name, member.session_id]));
  const lanes = started.map((member) => {
    const from = Date.parse(member.started_at);
    const until = member.ended_at ? Date.parse(member.ended_at) : null;
    const state = member.state;
    const span = {
      session_id: member.session_id,
      session_name: member.name,
      parent_session_id: ids.get(member.below ?? member.after[0]) ?? null,
      state,
      from,
      to: until,
      runs: [{ state, from, to: until ?? now() }],
    };
    return { span, level: 0 };
  });
  const placeOf = new Map(lanes.map(({ span }, place) => [span.session_id, place]));
  chart.take({ lanes, placeOf, wakesOf: new Map() });
}
