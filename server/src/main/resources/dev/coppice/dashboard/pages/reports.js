/** Tables over many sessions, with a plot of what can be plotted. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { path } from "../base/api.js";
import { replace, to } from "../base/address.js";
import { clock, count, length } from "../base/format.js";
import { bars } from "../parts/bars.js";
import { answerPage, heading, table } from "../parts/table.js";

/** The reports: their names, and what is drawn of their rows. */
const REPORTS = {
  performance: { name: "Performance", plot: largest("session_id", "duration_ms") },
  children: { name: "Children", plot: counted("children of", "parent_session_id") },
  spawn_delays: { name: "Spawn delays", plot: largest("child_id", "spawn_delay_ms") },
  waves: { name: "Waves", plot: largest("wave_id", "total_events") },
  relationships: {
    name: "Relationships",
    plot: largest("relationship_type", "relationships"),
  },
  timeline: { name: "Events", plot: overTime("timestamp") },
};

const PERIODS = [
  ["hour", "the last hour", 3_600_000],
  ["day", "the last day", 86_400_000],
  ["week", "the last week", 7 * 86_400_000],
  ["all", "all time", null],
];

const BARS_MAX = 30;
const TIMES = 24;

export function open(argument, query) {
  const state = {
    report: Object.hasOwn(REPORTS, argument) ? argument : "performance",
    period: query.get("period") ?? "day",
    within: query.get("within") ?? "",
  };
  const page = answerPage({
    title: "Reports",
    path: () => path`/reports/${state.report}`,
    query: () => ({ from: from(state.period), session_id: state.within }),
    view: (value, fresh) => view(value, fresh, state),
    limit: 500,
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
      html`
        <div class="tabs" role="group" aria-label="Report">
          ${Object.entries(REPORTS).map(([key, { name }]) => html`
            <button
              key=${key}
              aria-pressed=${String(key === state.report)}
              onClick=${() => choose(fresh, state, { report: key })}
            >
              ${name}
            </button>
          `)}
        </div>
      `,
      html`
        <select
          aria-label="Period"
          value=${state.period}
          onChange=${(event) => choose(fresh, state, { period: event.target.value })}
        >
          ${PERIODS.map(([name, said]) => html`<option key=${name} value=${name}>${said}</option>`)}
        </select>
      `,
    ),
    value.rows.length === 0 && html`<p class="empty">Nothing happened in this time.</p>`,
    value.next && html`
      <p class="hint">Of the first ${count(value.rows.length)} rows, there are more:</p>
    `,
    value.rows.length > 0 && report.plot(value.rows),
    value.rows.length > 0 &&
      table(
        value.columns.map((column) => column.replaceAll("_", " ")),
        value.rows.map((row, i) => ({
          key: i,
          cells: value.columns.map((one) => cell(one, row[one])),
        })),
      ),
  ];
}

function cell(column, value) {
  if (value === null || value === undefined) return "";
  if (column.endsWith("_ms") || column === "child_duration") return length(value);
  if (column === "timestamp" || column.endsWith("_start") || column.endsWith("_end")) {
    return clock(typeof value === "number" ? new Date(value).toISOString() : value);
  }
  const isSession = /(^|_)(session|child|parent)_?(session_)?id$/.test(column);
  if (isSession) return html`<a href=${to("session", value)}>${value}</a>`;
  return typeof value === "number" ? value : String(value);
}

/** The rows with the largest values of a column; the table below says the same in numbers. */
function largest(label, column) {
  const said = column.endsWith("_ms") ? length : count;
  return (rows) => {
    const drawn = rows
      .filter((row) => row[column] > 0)
      .map((row) => ({ label: String(row[label] ?? ""), value: row[column] }));
    return longest(`The largest values of ${column.replaceAll("_", " ")}`, drawn, said);
  };
}

/** The numbers of rows with the same value of a column. */
function counted(name, column) {
  return (rows) => {
    const drawn = [...Map.groupBy(rows, (row) => row[column])].map(([label, same]) => ({
      label: html`<a href=${to("session", label)}>${label}</a>`,
      value: same.length,
    }));
    return longest(`The numbers of ${name}`, drawn, count);
  };
}

function longest(name, drawn, said) {
  if (drawn.length === 0) return null;
  const sorted = drawn.sort((a, b) => b.value - a.value).slice(0, BARS_MAX);
  return bars(name, sorted, said);
}

/** The numbers of rows in parts of the time that they cover. */
function overTime(column) {
  return (rows) => {
    const times = rows.map((row) => new Date(row[column]).getTime());
    const from = Math.min(...times);
    const width = Math.max(1_000, (Math.max(...times) - from + 1) / TIMES);
    const drawn = Array.from({ length: TIMES }, (_, i) => ({
      label: clock(new Date(from + i * width).toISOString()),
      value: times.filter((at) => Math.floor((at - from) / width) === i).length,
    }));
    const last = drawn.findLastIndex((part) => part.value > 0);
    return bars("The numbers of events over time", drawn.slice(0, last + 1), count);
  };
}
