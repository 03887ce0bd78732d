/** One session: what it was asked, what came of it, and everything that happened. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { replace, to } from "../base/address.js";
import { age, ago, brief, bytes, clock, count, dollars, length, many } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { budgetOf } from "../parts/budget.js";
import { Conversation } from "../parts/conversation.js";
import { fact, liveOf } from "../parts/digest.js";
import { EventList } from "../parts/events.js";
import { actionsOn, openAttach, openMenu } from "../parts/menu.js";
import { Output } from "../parts/output.js";
import { questionOf } from "../parts/question.js";
import { removed } from "../parts/removal.js";
import { see } from "../parts/seen.js";
import { badge, hasFailed, headline, marks, tally } from "../parts/state.js";
import { table, waiting } from "../parts/table.js";
import { usageOf } from "../parts/usage.js";
import { Work } from "../parts/work.js";

const CHILDREN = 200;

const TABS = [
  ["conversation", "Conversation"],
  ["output", "Output"],
  ["events", "Events"],
  ["children", "Children"],
  ["relations", "Relations"],
  ["runs", "Runs"],
  ["facts", "Facts"],
];

const FIRST = "conversation";

export function open(id, query) {
  const tab = query.get("tab");
  const state = { tab: Object.hasOwn(PANELS, tab) ? tab : FIRST };
  const fresh = new Fresh((signal) => read(id, state.tab, signal), app.paint);
  const at = query.get("at");
  const remember = () =>
    replace(to("session", id, { tab: state.tab === FIRST ? "" : state.tab, at: events.from }));
  const events = new EventList(id, Number(at) > 0 ? Math.floor(Number(at)) : null, remember);
  const talk = new Conversation(id);
  const output = new Output(id);
  const work = new Work(id);
  const choose = (tab) => {
    state.tab = tab;
    if (tab !== "output") output.close();
    if (tab === "events") events.fresh.refresh();
    if (tab === FIRST) talk.fresh.refresh();
    remember();
    fresh.restart();
    app.paint();
  };
  const turn = () => choose(state.tab === "events" ? FIRST : "events");
  return {
    title: () => fresh.value?.session.session_name ?? "Session",
    changed: (change) => {
      fresh.refresh();
      // What is not shown is read when it is.
      if (state.tab === "events") events.changed(change);
      if (state.tab === FIRST) talk.changed(change);
    },
    close: () => {
      fresh.close();
      events.close();
      talk.close();
      output.close();
    },
    fresh,
    key: (event) => keys(event, fresh.value, turn),
    view: () => view(fresh, { events, talk, output, work }, state, choose),
  };
}

async function read(id, tab, signal) {
  const ask = (address, query) => get(address, query, { signal });
  // Alone and first: a session that was removed has nothing else.
  const session = await ask(path`/sessions/${id}`);
  if (hasFailed(session.session.state)) see(session.session);
  const [health, runs, way, children] = await Promise.all([
    ask(path`/sessions/${id}/health`),
    ask("/runs", { session_id: id, limit: 50 }),
    ask(path`/sessions/${id}/path`),
    tab === "children" ? ask(path`/sessions/${id}/outline`, { levels: 1, limit: CHILDREN }) : null,
  ]);
  const relatives = tab === "relations" ? await ask(path`/sessions/${id}/relations`) : null;
  const spent = (what) =>
    tab === "facts" ? ask(path`/sessions/${id}/${what}`).catch(() => null) : null;
  const [budget, usage, outside] = await Promise.all([
    spent("budget"),
    spent("usage"),
    tab === "facts" ? ask("/processes", { session_id: id }) : null,
  ]);
  return {
    session: session.session,
    ...health,
    runs: runs.runs,
    path: way.sessions,
    children,
    budget,
    usage,
    outside: outside?.processes.find((one) => one.session_id === id),
    relatives,
  };
}

function keys(event, value, turn) {
  if (!value) return false;
  if (event.key === "e") {
    turn();
    return true;
  }
  if (event.key === ".") {
    openMenu(value.session, liveOf(value));
    return true;
  }
  const up = value.session.parent_session_id;
  if (event.key === "U" && up) {
    location.hash = to("session", up);
    return true;
  }
  return false;
}

function view(fresh, parts, state, choose) {
  const { value, error } = fresh;
  if (error?.status === 410) return removed(error);
  if (!value) return waiting(fresh);
  const { session, health } = value;
  return html`
    ${above(value)}
    <header class="page-head">
      <h1>${session.session_name}</h1>
      ${badge(health.question ? "asking" : session.state)}
      ${marks(session)}
      ${session.detached_from && !session.parent_session_id && app.mayAct && html`
        <button onClick=${() => openAttach(session)}>Place under a parent…</button>
      `}
      <span class="hint">${age(session)}</span>
      <span class="grow" />
      <a href=${to("tree", session.root_session_id, { sel: session.session_id })}>
        Show in its tree
      </a>
      <a href=${to("timeline", session.session_id)}>Timeline</a>
      <a href=${to("waves", "", { within: session.session_id })}>Waves</a>
      <a href=${to("replay", session.session_id)}>Replay</a>
      <a href=${to("compare", session.session_id)}>Compare</a>
      ${app.mayAct &&
        actionsOn(session, liveOf(value))
          .slice(0, 2)
          .map((one) => html`
            <button key=${one.name} title=${one.command} onClick=${() => (one.run(), app.paint())}>
              ${one.name}
            </button>
          `)}
      <button onClick=${() => openMenu(session, liveOf(value))} aria-label="More actions">⋯</button>
    </header>
    ${session.reason && session.state !== "finished" && html`<p class="why">${session.reason}</p>`}
    ${!session.ended_at && !health.question && html`<p>${headline(health)}</p>`}
    ${health.question && state.tab !== FIRST && questionOf(health.question)}
    ${tabs(state, choose)}
    <div class="tab" key=${state.tab} role="tabpanel">${PANELS[state.tab](value, parts)}</div>
  `;
}

/** The sessions above, each a link. */
const above = (value) => html`
  <nav class="crumbs" aria-label="Sessions above">
    ${value.path
      .slice(0, -1)
      .map((one) => html`
        <a href=${to("session", one.session_id)} key=${one.session_id}>${one.session_name}</a>
        <span class="hint" key="${one.session_id}>"> › </span>
      `)}
  </nav>
`;

function tabs(state, choose) {
  return html`
    <div class="tabs" role="tablist">
      ${TABS.map(([tab, name]) => html`
        <button
          key=${tab}
          role="tab"
          aria-selected=${String(tab === state.tab)}
          tabindex=${tab === state.tab ? "0" : "-1"}
          onClick=${() => choose(tab)}
          onKeyDown=${(event) => walkTabs(event, state, choose)}
        >
          ${name}
        </button>
      `)}
    </div>
  `;
}

function walkTabs(event, state, choose) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = TABS.findIndex(([tab]) => tab === state.tab);
  choose(TABS[(at + step + TABS.length) % TABS.length][0]);
  event.currentTarget.parentNode.children[(at + step + TABS.length) % TABS.length].focus();
}

const PANELS = {
  conversation: ({ health }, { talk }) => talk.view(health.question),
  output: (value, { output }) => output.view(value.runs),
  events: (_value, { events }) => events.view(),
  children: (value) => children(value.children),
  relations: (value) => relations(value.relatives),
  runs: (value) => runs(value.runs),
  facts: (value, { work }) => facts(value, work),
};

function children(page) {
  if (!page) return html`<p class="loading">Loading…</p>`;
  const rows = page.rows.slice(1);
  if (rows.length === 0) return html`<p class="hint">It has no children.</p>`;
  return html`
    <ul class="children">
      ${rows.map((row) => html`
        <li key=${row.id}>
          ${row.session
            ? html`
              ${badge(row.question ? "asking" : row.session.state)}${" "}
              <a href=${to("session", row.id)} key="name">${row.session.session_name}</a>${" "}
              ${headline(row.session)}
              <span class="sums" key="sums">${row.children > 0 && tally(row.tally)}</span>
            `
            : html`
              <span key="kind">${row.kind}</span>${" "}
              <span class="sums" key="sums">${tally(row.tally)}</span>
            `}
        </li>
      `)}
      ${page.total > CHILDREN && html`<li>There are more: see the tree.</li>`}
    </ul>
  `;
}

/** Sessions that this one is related to, how, and how that is known. */
function relations(relatives) {
  if (!relatives) return html`<p class="loading">Loading…</p>`;
  const all = relatives.relations;
  if (all.length === 0) return html`<p class="hint">It is related to no other session.</p>`;
  return table(
    ["Relation", "Session", "State", "Why", "Known by", "Since"],
    all.map((one) => ({
      key: `${one.session_id}:${one.type}`,
      cells: [
        one.type === "parent/child" ? one.side : `${one.type.replaceAll("_", " ")} (${one.side})`,
        html`<a href=${to("session", one.session_id)}>${one.session_name}</a>`,
        badge(one.state),
        [one.reason, one.delegation].filter(Boolean).join(", ").replaceAll("_", " "),
        evidence(one),
        clock(one.since),
      ],
    })),
  );
}

const EVIDENCE = {
  started: "Coppice started it",
  tool_response: "the answer of the tool that started it",
  declared: "a declaration",
  inferred: "its events",
};

const evidence = (one) =>
  one.confidence < 100
    ? `${EVIDENCE[one.evidence]}, ${one.confidence} % sure`
    : EVIDENCE[one.evidence];

const runs = (all) =>
  table(
    ["Run", "State", "Began", "Took", "Mode", "Runner", "Why it ended"],
    all.map((run) => ({
      key: run.run_id,
      cells: [
        html`<code>${run.run_id}</code>`,
        badge(run.state),
        clock(run.started_at ?? run.created_at),
        took(run),
        run.execution_mode.replaceAll("_", " "),
        html`<code>${run.runner_id ?? ""}</code>`,
        html`<span class="why">${run.error ?? ""}</span>`,
      ],
    })),
  );

function took(run) {
  if (!run.started_at) return "";
  return run.completed_at
    ? length(Date.parse(run.completed_at) - Date.parse(run.started_at))
    : ago(run.started_at);
}

/** The process of a program that Coppice did not start. */
const processOf = (process) =>
  `${process.program} ${process.pid}, which a stop ${process.may_stop ? "ends" : "leaves alone"}`;

function facts(value, work) {
  const { session, health } = value;
  return [
    html`
      <dl class="facts wide">
        ${fact("id", session.session_id)}
        ${fact("path", session.path)}
        ${fact("type", session.session_type)}
        ${fact("blueprint", session.agent_name)}
        ${fact("created", clock(session.created_at))}
        ${fact("started", clock(session.started_at))}
        ${fact("ended", clock(session.ended_at))}
        ${fact("directory", session.project_dir)}
        ${fact("host", session.hostname)}
        ${fact("process", value.outside && processOf(value.outside))}
        ${fact("own conversation", session.executor_session_id)}
        ${fact("when its parent ends", session.on_parent_end)}
        ${fact("live below", count(health.living_below))}
        ${fact("runs", `${many(health.runs, "run")}, ${health.failed_runs} failed`)}
        ${fact("tokens", health.tokens ? brief(health.tokens) : "")}
        ${fact("cost", health.cost_micros ? dollars(health.cost_micros) : "")}
        ${fact("memory", health.use.memory_bytes ? bytes(health.use.memory_bytes) : "")}
        ${fact("processes", health.use.processes ? String(health.use.processes) : "")}
      </dl>
    `,
    value.budget && budgetOf(value.budget),
    value.usage && usageOf(value.usage),
    work.view(),
    session.metadata && html`
      <section>
        <h3>Metadata</h3>
        <pre class="text" tabindex="0">${JSON.stringify(session.metadata, null, 2)}</pre>
      </section>
    `,
  ];
}
