/** Lanes of a tree over time, with its critical path. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { replace, to } from "../base/address.js";
import { count, length, many, now } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { Chart } from "../parts/chart.js";
import { openMenuOf } from "../parts/menu.js";
import { removed } from "../parts/removal.js";
import { criticalPath, Spans } from "../parts/spans.js";
import { badge } from "../parts/state.js";

/** More levels than a tree has. */
const ALL = 256;

export function open(top, query) {
  const spans = new Spans(top);
  const state = { isCritical: query.get("critical") === "true", newer: 0 };
  const chart = new Chart({
    told: () => {
      remember();
      app.paint();
    },
    opened: (id) => (location.hash = to("session", id)),
  });
  const remember = () =>
    replace(
      to("timeline", top, {
        sel: chart.selected,
        critical: state.isCritical || undefined,
        levels: spans.levels === ALL ? undefined : spans.levels,
        from: chart.isFollowing ? undefined : Math.round(chart.from),
        to: chart.isFollowing ? undefined : Math.round(chart.to),
      }),
    );
  chart.selected = query.get("sel");
  chart.show(Number(query.get("from")), Number(query.get("to")));
  const levels = Number(query.get("levels") ?? ALL);
  spans.levels = levels >= 0 && levels < ALL ? Math.floor(levels) : ALL;
  const show = () => {
    chart.critical = state.isCritical ? criticalPath(spans.byId, top, now()) : [];
    chart.take(spans);
  };
  const fresh = new Fresh(
    (signal) => spans.read(signal),
    () => {
      if (!fresh.error) show();
      app.paint();
    },
  );
  const toggleCritical = () => {
    state.isCritical = !state.isCritical;
    show();
    remember();
    app.paint();
  };
  return {
    title: () => `Timeline of ${spans.byId.get(top)?.session_name ?? "…"}`,
    changed: (change) => {
      const own = change.sessions?.filter((id) => spans.byId.has(id)).length ?? 0;
      if (!chart.isFollowing) state.newer += own;
      fresh.refresh();
    },
    close: () => fresh.close(),
    fresh,
    key: (event) => key(event, spans, chart, toggleCritical),
    view: () => view({ top, spans, chart, state, fresh, toggleCritical }),
  };
}

function key(event, spans, chart, toggleCritical) {
  if (event.key === "c") {
    toggleCritical();
    return true;
  }
  const step = { "[": -1, "]": 1 }[event.key];
  if (step) {
    const deepest = Math.max(0, ...spans.lanes.map((lane) => lane.level));
    const levels = spans.levels > deepest && step < 0 ? deepest : spans.levels;
    spans.levels = Math.max(0, Math.min(ALL, levels + step));
    spans.order();
    chart.take(spans);
    chart.told();
    return true;
  }
  return chart.key(event);
}

function view({ top, spans, chart, state, fresh, toggleCritical }) {
  const span = spans.byId.get(top);
  if (fresh.error?.status === 410) return removed(fresh.error);
  if (fresh.error && !span) {
    return html`<p class="refusal">${fresh.error.message}. ${fresh.error.advice}</p>`;
  }
  if (!span) return html`<p class="loading">Loading…</p>`;
  const button = (text, title, onClick) => html`
    <button key=${text} title=${title} onClick=${onClick}>${text}</button>
  `;
  return html`
    <div class="tall">
      <div class="bar-of-tools" role="toolbar" aria-label="Timeline">
        <h1 class="label">${span.session_name}</h1>
        <span class="hint">${many(spans.total, "session")}</span>
        <span class="grow" />
        <button
          class="toggle${state.isCritical ? " on" : ""}"
          aria-pressed=${String(state.isCritical)}
          onClick=${toggleCritical}
        >
          critical path (c)
        </button>
        ${button("−", "Zoom out (-)", () => chart.zoom(1.5))}
        ${button("+", "Zoom in (+)", () => chart.zoom(1 / 1.5))}
        ${button("All", "Fit all (0)", () => (chart.fit(), app.paint()))}
        ${chart.isLive && edge(chart, state)}
        <a href=${to("tree", top)}>Tree</a>
      </div>
      ${chart.view("Sessions over time", "lane")}
      ${footer(spans, chart, state)}
    </div>
  `;
}

/** The state of the live edge, and the way back to it. */
function edge(chart, state) {
  if (chart.isFollowing) return html`<span class="hint">● the live edge</span>`;
  const follow = () => {
    state.newer = 0;
    chart.follow();
  };
  const news = state.newer ? `+${count(state.newer)} to the live edge` : "To the live edge";
  return html`<button class="news" onClick=${follow}>${news} (l)</button>`;
}

/** The selected lane in words: a canvas says nothing to a screen reader. */
function footer(spans, chart, state) {
  const span = spans.byId.get(chart.selected);
  const path = chart.critical;
  const own = path.filter((piece) => piece.id === chart.selected);
  return html`
    <p class="foot" id="lane" role="status">
      ${span
        ? [
            badge(span.state),
            " ",
            html`<a href=${to("session", span.session_id)} key="name">${span.session_name}</a>`,
            ` ${length((span.to ?? now()) - span.from)}, ${many(span.runs.length, "run")} `,
            own.length > 0 && `· on the critical path for ${length(sum(own))} `,
            app.mayAct && html`
              <button key="do" onClick=${() => openMenuOf(span.session_id)}>Actions (.)</button>
            `,
          ]
        : html`<span class="hint">Select a lane with j and k, zoom with + and -.</span>`}
      ${state.isCritical && path.length > 0 && html`
        <span class="hint">
          ${` Critical path: ${many(sessionsOf(path), "session")}, ${length(sum(path))}`}
        </span>
      `}
      ${spans.truncated && html`<span class="why"> Not all sessions are shown.</span>`}
    </p>
  `;
}

const sessionsOf = (pieces) => new Set(pieces.map((piece) => piece.id)).size;
const sum = (pieces) => pieces.reduce((all, piece) => all + piece.to - piece.from, 0);
