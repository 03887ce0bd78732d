/** Shows what ended trees hold on disk, as a map and as a list. A removal frees it. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { Fresh } from "../base/fresh.js";
import { bytes, count } from "../base/format.js";
import { command } from "../parts/copy.js";
import { openRemoval } from "../parts/removal.js";
import { heading, table } from "../parts/table.js";

const PAGE = 100;
const TREES_MAX = 1_000;
const AT_ONCE = 4;

export function open() {
  const state = { held: [], asked: new Set(), left: 0, isCut: false, closed: false };
  const trees = new Fresh(
    (signal) => endedTrees(state, signal),
    () => arrived(trees.value, state),
  );
  return {
    title: () => "Reclaim",
    changed: ({ sessions }) => {
      if (!sessions || sessions.some((id) => state.asked.has(id))) trees.refresh();
    },
    close: () => {
      state.closed = true;
      trees.close();
    },
    view: () => view(trees, state),
  };
}

/** The newest trees without a live session; says if there are more. */
async function endedTrees(state, signal) {
  const ended = [];
  let after = null;
  do {
    const query = after ? { limit: PAGE, after } : { limit: PAGE };
    const page = await get("/trees", query, { signal });
    ended.push(...page.trees.filter((row) => row.tally.live === 0));
    after = page.next;
  } while (after && ended.length < TREES_MAX);
  state.isCut = Boolean(after);
  return ended;
}

/** A plan looks at directories, which may take a while: each tree appears when it is known. */
async function arrived(ended, state) {
  const ids = new Set(ended?.map((row) => row.id));
  state.held = state.held.filter((one) => ids.has(one.row.id));
  for (const id of state.asked) if (!ids.has(id)) state.asked.delete(id);
  const rest = (ended ?? []).filter((row) => !state.asked.has(row.id));
  for (const row of rest) state.asked.add(row.id);
  state.left += rest.length;
  app.paint();
  await Promise.all(Array.from({ length: AT_ONCE }, () => readSome(rest, state)));
}

async function readSome(rest, state) {
  while (rest.length > 0 && !state.closed) {
    const row = rest.shift();
    const plan = await get(path`/sessions/${row.id}/removal-plan`).catch(() => null);
    state.left -= 1;
    if (plan) state.held.push({ row, plan, size: sizeOf(plan) });
    else state.asked.delete(row.id);
    app.paint();
  }
}

const diskOf = (plan) => plan.freed_bytes + plan.output_bytes;
const sizeOf = (plan) => plan.event_bytes + diskOf(plan);

function isSaved(plan) {
  return (
    plan.work.every((one) => !one.unsaved) &&
    plan.not_looked_at.length === 0 &&
    Object.keys(plan.looks_failed).length === 0
  );
}

function view(trees, state) {
  if (trees.error) {
    return html`<p class="refusal">${trees.error.message}. ${trees.error.advice}</p>`;
  }
  if (!trees.value) return html`<p class="loading">Loading…</p>`;
  const held = state.held.toSorted((a, b) => b.size - a.size);
  const all = held.reduce((sum, one) => sum + one.size, 0);
  return [
    heading(
      "Reclaim",
      html`<span class="hint" key="sum">ended trees hold ${bytes(all)}</span>`,
      html`<span key="same">${command("coppice reclaim")}</span>`,
    ),
    state.left > 0 && html`<p class="loading" key="left">Looking at ${count(state.left)} more…</p>`,
    state.isCut && html`
      <p class="hint" key="cut">Older trees appear when some of these are removed.</p>
    `,
    held.length === 0 && state.left === 0 && html`<p class="empty">Nothing to free.</p>`,
    held.length > 0 && map(held, all),
    // Rows that move while they are read would be clicked by mistake.
    held.length > 0 && state.left === 0 && list(held),
  ];
}

/** Each tree as large as its share; the small ones are in the list only. */
const map = (held, all) => html`
  <div class="disk" key="map" role="img" aria-label="Disk space by tree">
    ${held
      .filter((one) => one.size * 50 >= all)
      .map((one) => html`
        <div
          key=${one.row.id}
          class=${isSaved(one.plan) ? "part" : "part unsaved"}
          style=${{ "--share": String(one.size / Math.max(1, all)) }}
          title=${`${one.plan.session_name}: ${bytes(one.size)}`}
        >
          ${one.plan.session_name} ${bytes(one.size)}
        </div>
      `)}
  </div>
`;

const list = (held) =>
  table(
    ["Tree", "Disk", "Events", "Sessions", "Saved elsewhere", ""],
    held.map(({ row, plan }) => ({
      key: row.id,
      cells: [
        html`<a href=${to("tree", row.id)}>${plan.session_name}</a>`,
        bytes(diskOf(plan)),
        bytes(plan.event_bytes),
        count(plan.sessions),
        saved(plan),
        app.mayAct && html`<button onClick=${() => openRemoval(row.session)}>Remove…</button>`,
      ],
    })),
  );

function saved(plan) {
  if (isSaved(plan)) return "yes";
  const unseen = plan.not_looked_at;
  if (unseen.length > 0) return `no runner answers on ${unseen.join(", ")}`;
  return "no: a removal preserves it";
}
