/** Waves: how far they are, how well they used their time, and what held them up. */

import { h } from "../base/dom.js";
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
        within && [
          h("span", { key: "within" }, "of ", h("a", { href: to("session", within) }, within)),
          h("span", { key: "below" }, "and below it"),
          h("a", { key: "all", href: to("waves") }, "all waves"),
        ],
      ),
      waves.length === 0 &&
        h("p", { class: "empty" }, "No wave was started, and no sessions worked side by side."),
      waves.length > 0 &&
        table(
          ["Wave", "State", "Progress", "Took", "Efficiency", "Slowest", "Tokens", "Cost"],
          waves.map((wave) => ({
            key: wave.wave_id,
            cells: [
              [
                h("a", { href: to("waves", wave.wave_id), key: "name" }, wave.name),
                wave.evidence === "inferred" &&
                  h("span", { class: "mark", key: "mark" }, "inferred"),
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
  h("progress", { key: "bar", max: "1", value: String(wave.progress), "aria-label": "progress" }),
  ` ${counts(wave.counts)}`,
];

function counts(sum) {
  const parts = [
    [sum.done, "done"],
    [sum.busy, "busy"],
    [sum.waiting, "waiting"],
    [sum.failed, "failed"],
    [sum.lost, "lost"],
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
  const isOver = Boolean(wave.ended_at);
  return [
    heading(
      wave.name,
      badge(wave.state),
      h(
        "span",
        { class: "hint" },
        `${percent(wave.progress)} of ${many(wave.counts.total, "member")}`,
      ),
      h("span", { class: "grow" }),
      app.mayAct &&
        !isOver &&
        wave.evidence !== "inferred" &&
        h(
          "button",
          {
            class: "danger",
            onClick: () => app.attempt(() => post(path`/waves/${wave.wave_id}/stop`)),
          },
          "Stop",
        ),
      app.mayAct &&
        !isOver &&
        wave.evidence !== "inferred" &&
        command(`coppice wave stop ${wave.wave_id}`),
    ),
    h(
      "dl",
      { class: "figures" },
      figure("took", length(wave.wall_ms)),
      figure("of work", length(wave.work_ms)),
      figure("busy at once, at most", String(wave.peak)),
      figure("efficiency", percent(wave.efficiency)),
      figure("slowest", wave.slowest ? wave.slowest.name : "–"),
      figure("tokens", brief(wave.tokens)),
      figure("cost", dollars(wave.cost_micros)),
    ),
    wave.phases.length > 1 &&
      h(
        "p",
        null,
        wave.phases.map((phase) =>
          h(
            "span",
            { class: "phase", key: phase.name },
            badge(phase.state),
            ` ${phase.name}: ${counts(phase.counts)} `,
          ),
        ),
      ),
    wave.critical_path?.length > 0 &&
      h(
        "p",
        { class: "hint" },
        "Critical path: ",
        wave.critical_path.map((step) => step.name ?? step).join(" → "),
      ),
    h("div", { class: "short" }, chart.view("Members over time")),
    table(
      ["Member", "State", "Phase", "After", "Began", "Took", "Why"],
      wave.members.map((member) => ({
        key: member.name,
        cells: [
          member.session_id
            ? h("a", { href: to("session", member.session_id) }, member.name)
            : member.name,
          badge(member.state),
          member.phase ?? "",
          member.after.join(", "),
          clock(member.started_at),
          member.started_at ? length(member.ms) : "",
          member.reason ?? "",
        ],
      })),
    ),
  ];
}

const figure = (name, value) =>
  h("div", { class: "figure", key: name }, h("dd", null, value), h("dt", null, name));

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
