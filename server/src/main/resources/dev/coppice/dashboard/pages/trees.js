/** All trees, newest first. A tree that appears is counted, and shown when the person wants it. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { replace, to } from "../base/address.js";
import { age, brief, count, dollars } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { openMenu } from "../parts/menu.js";
import { badge, headline, marks, shown, tally } from "../parts/state.js";
import { more, tableOf, waiting } from "../parts/table.js";

export function open(_argument, query) {
  const state = { live: query.get("live") === "true", size: { limit: 50 }, known: null };
  const trees = new Fresh(
    (signal) => get("/trees", { live: state.live, limit: state.size.limit }, { signal }),
    () => {
      if (trees.value) state.known ??= newest(trees.value);
      app.paint();
    },
  );
  return {
    title: () => "Trees",
    changed: () => trees.refresh(),
    close: () => trees.close(),
    fresh: trees,
    view: () => view(state, trees),
  };
}

/** Null if there is no tree yet: then the first ones are shown at once. */
const newest = (value) => value.trees[0]?.session.created_at ?? null;

function view(state, trees) {
  if (!trees.value) return waiting(trees);
  const all = trees.value.trees;
  const known = all.filter((row) => !state.known || row.session.created_at <= state.known);
  const added = all.length - known.length;
  return [
    html`
      <header class="page-head">
        <h1>Trees</h1>
        <label>
          <input type="checkbox" checked=${state.live} onChange=${() => choose(state, trees)} />
          only live ones
        </label>
        ${added > 0 && html`
          <button
            class="news"
            onClick=${() => {
              state.known = newest(trees.value);
              app.paint();
            }}
          >
            +${count(added)} new
          </button>
        `}
      </header>
    `,
    all.length === 0 && html`
      <p class="empty">${state.live ? "No tree is at work." : "There is no tree yet."}</p>
    `,
    known.length > 0 &&
      tableOf(
        ["Tree", "State", "Doing", "In it", "Took", "Tokens", "Cost", ""],
        known.map((row) => treeRow(row, age(row.session))),
      ),
    more(trees.value, state.size, trees),
  ];
}

function choose(state, trees) {
  state.live = !state.live;
  state.known = null;
  replace(to("trees", "", { live: state.live || undefined }));
  trees.restart();
}

const treeRow = kept((row, aged) => {
  const { session } = row;
  return html`
    <tr key=${session.session_id}>
      <td>
        <a href=${to("tree", session.session_id)} class="label">${session.session_name}</a>${" "}
        ${marks(session)}
      </td>
      <td>${badge(shown(session, row.question))}</td>
      <td class="doing">${headline(session)}</td>
      <td><span class="sums">${tally(row.tally)}</span></td>
      <td class="age">${aged}</td>
      <td class="number">${row.tokens ? brief(row.tokens) : ""}</td>
      <td class="number">${row.cost_micros ? dollars(row.cost_micros) : ""}</td>
      <td>
        <button
          class="quiet"
          aria-label="Actions on ${session.session_name}"
          onClick=${() => openMenu(session, row.tally)}
        >
          ⋯
        </button>
      </td>
    </tr>
  `;
});
