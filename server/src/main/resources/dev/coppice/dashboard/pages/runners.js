/** Runners: how much they carry, which were lost, and accounts that wait for their quota. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path, remove } from "../base/api.js";
import { to } from "../base/address.js";
import { ago, clock, count, many } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { command } from "../parts/copy.js";
import { badge } from "../parts/state.js";
import { heading, table, waiting } from "../parts/table.js";

/** Heartbeats are no events, so nothing tells of them. */
const AGAIN = 5_000;
const RUNS_MAX = 200;

export function open() {
  const fresh = new Fresh(read, app.paint);
  const timer = setInterval(() => !document.hidden && fresh.refresh(), AGAIN);
  return {
    title: () => "Runners",
    changed: () => fresh.refresh(),
    close: () => {
      clearInterval(timer);
      fresh.close();
    },
    fresh,
    view: () => (fresh.value ? view(fresh.value) : waiting(fresh)),
  };
}

async function read(signal) {
  const [runners, busy, accounts] = await Promise.all([
    get("/runners", { limit: 200 }, { signal }),
    get("/runs", { status: "claimed,running,stopping", limit: 1_000 }, { signal }),
    get("/accounts", {}, { signal }),
  ]);
  const load = Map.groupBy(busy.runs, (run) => run.runner_id);
  return { runners: runners.runners, load, runs: busy.runs, accounts: accounts.accounts };
}

function view({ runners, load, runs, accounts }) {
  return [
    heading("Runners", html`<span class="hint">${many(runners.length, "runner")}</span>`),
    runners.length === 0 && html`
      <p class="empty">No runner is registered. ${command("coppice runner")}</p>
    `,
    runners.length > 0 &&
      table(
        ["Runner", "State", "Load", "Host", "Profile", "Tags", "Last heartbeat", ""],
        runners.map((one) => line(one, load.get(one.runner_id)?.length ?? 0)),
      ),
    runs.length > 0 && html`<h2>Runs that they hold</h2>`,
    runs.length > 0 &&
      table(
        ["Session", "State", "Runner", "Held for"],
        runs.slice(0, RUNS_MAX).map((run) => ({
          key: run.run_id,
          cells: [
            html`<a href=${to("session", run.session_id)}>${run.session_name}</a>`,
            badge(run.state),
            html`<code>${run.runner_id}</code>`,
            ago(run.claimed_at),
          ],
        })),
      ),
    runs.length > RUNS_MAX && html`<p class="hint">and ${count(runs.length - RUNS_MAX)} more</p>`,
    accounts.length > 0 && html`<h2>Accounts that wait for their quota</h2>`,
    accounts.length > 0 &&
      table(
        ["Account", "Starts again", "Met in a row", "What its agent said", ""],
        accounts.map((one) => ({
          key: one.account,
          cells: [
            one.account,
            clock(one.held_until),
            one.failures,
            one.reason,
            app.mayAct && html`
              <button onClick=${() => take(path`/accounts/${one.account}`)}>Release now</button>
            `,
          ],
        })),
      ),
  ];
}

function line(one, busy) {
  const isLost = one.status !== "online";
  return {
    key: one.runner_id,
    cells: [
      html`<code>${one.runner_id}</code>`,
      html`<span class=${isLost ? "failed" : "finished"}>${isLost ? "? lost" : "● online"}</span>`,
      load(busy, one.capacity),
      one.hostname,
      one.executor_profile,
      one.tags.join(", "),
      `${ago(one.last_heartbeat)} ago`,
      app.mayAct && isLost && html`
        <button onClick=${() => take(path`/runners/${one.runner_id}`)}>Take off the list</button>
      `,
    ],
  };
}

const load = (busy, capacity) => [
  html`
    <meter
      key="meter"
      min="0"
      max=${String(capacity)}
      value=${String(busy)}
      aria-label=${`${busy} of ${capacity} runs`}
    />
  `,
  ` ${busy} of ${capacity}`,
];

const take = (address) => app.attempt(() => remove(address));
