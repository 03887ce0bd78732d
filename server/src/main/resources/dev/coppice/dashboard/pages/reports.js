/** Tables over many sessions, with a plot of what can be plotted. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { path } from "../base/api.js";
import { replace, to } from "../base/address.js";
import { clock, count, length } from "../base/format.js";
import { answerPage, heading, table } from "../parts/table.js";

/** The reports: their names, what a row is called by, and the number that is drawn. */
const REPORTS = {
  performance: { name: "Performance", label: "session_id", bar: "duration_ms" },
  spawn_delays: { name: "Spawn delays", label: "child_id", bar: "spawn_delay_ms" },
  waves: { name: "Waves", label: "wave_id", bar: "total_events" },
  relationships: { name: "Relationships", label: "relationship_type", bar: "relationships" },
  timeline: { name: "Events", label: "timestamp", bar: null },
};

const PERIODS = [
  ["hour", "the last hour", 3_600_000],
  ["day", "the last day", 86_400_000],
  ["week", "the last week", 7 * 86_400_000],
  ["all", "all time", null],
];

const BARS_MAX = 30;

export function open(argument, query) {
  const state = {
    report: REPORTS[argument] ? argument : "performance",
    period: query.get("period") ?? "day",
    within: query.get("within") ?? "",
  };
  const page = answerPage({
    title: "Reports",
    path: () => path`/reports/${state.report}`,
    query: () => ({ limit: 500, from: from(state.period), session_id: state.within }),
    view: (value, fresh) => view(value, fresh, state),
    refreshes: false,
  });
  return page;
}

function from(period) {
  const width = PERIODS.find(([name]) => name === period)?.[2];
  return width ? Date.now() - width : 0;
}

function choose(fresh, state, change) {
  Object.assign(state, change);
  const { report, period, within } = state;
  replace(to("reports", report, { period: period === "day" ? "" : period, within }));
  fresh.value = null;
  fresh.restart();
  app.paint();
}

function view(value, fresh, state) {
  const report = REPORTS[state.report];
  return [
    heading(
      "Reports",
      h(
        "div",
        { class: "tabs", role: "group", "aria-label": "Report" },
        Object.entries(REPORTS).map(([key, { name }]) =>
          h(
            "button",
            {
              key,
              "aria-pressed": String(key === state.report),
              onClick: () => choose(fresh, state, { report: key }),
            },
            name,
          ),
        ),
      ),
      h(
        "select",
        {
          "aria-label": "Period",
          value: state.period,
          onChange: (event) => choose(fresh, state, { period: event.target.value }),
        },
        PERIODS.map(([name, said]) => h("option", { key: name, value: name }, said)),
      ),
    ),
    value.rows.length === 0 && h("p", { class: "empty" }, "Nothing happened in this time."),
    report.bar && plot(value.rows, report),
    value.rows.length > 0 &&
      table(
        value.columns.map((column) => column.replaceAll("_", " ")),
        value.rows.map((row, i) => ({
          key: i,
          cells: value.columns.map((one) => cell(one, row[one])),
        })),
      ),
    value.next &&
      h("p", { class: "hint" }, `These are the first ${count(value.rows.length)} rows.`),
  ];
}

function cell(column, value) {
  if (value === null || value === undefined) return "";
  if (column.endsWith("_ms") || column === "child_duration") return length(value);
  if (column === "timestamp" || column.endsWith("_start") || column.endsWith("_end")) {
    return clock(typeof value === "number" ? new Date(value).toISOString() : value);
  }
  const isSession = /(^|_)(session|child|parent)_?(session_)?id$/.test(column);
  if (isSession) return h("a", { href: to("session", value) }, value);
  return typeof value === "number" ? value : String(value);
}

/** The longest rows as bars; the table below says the same in numbers. */
function plot(rows, { label, bar }) {
  const drawn = rows
    .filter((row) => row[bar] > 0)
    .sort((a, b) => b[bar] - a[bar])
    .slice(0, BARS_MAX);
  if (drawn.length === 0) return null;
  const most = drawn[0][bar];
  return h(
    "div",
    {
      class: "plot",
      role: "img",
      "aria-label": `The largest values of ${bar.replaceAll("_", " ")}`,
    },
    drawn.map((row, i) =>
      h(
        "div",
        { class: "plot-row", key: i },
        h("span", { class: "plot-label" }, String(row[label] ?? "")),
        h("span", { class: "plot-bar", style: { "--share": String(row[bar] / most) } }),
        h("span", { class: "hint" }, bar.endsWith("_ms") ? length(row[bar]) : count(row[bar])),
      ),
    ),
  );
}
