/** Removed trees: those that can still come back, until when, and those that are gone. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { download, get, path, post } from "../base/api.js";
import { bytes, clock, many } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { command } from "../parts/copy.js";
import { left, undo } from "../parts/removal.js";
import { more, table, waiting } from "../parts/table.js";

export function open(argument) {
  const size = { limit: 100 };
  const removals = new Fresh((signal) => get("/removals", size, { signal }), app.paint);
  return {
    title: () => "Bin",
    changed: () => removals.refresh(),
    close: () => removals.close(),
    fresh: removals,
    view: () => view(removals, argument, size),
  };
}

function view(removals, chosen, size) {
  if (!removals.value) return waiting(removals);
  const all = removals.value.removals;
  const undoable = all.filter((one) => one.undo_until && one.state === "hidden");
  const rest = all.filter((one) => !undoable.includes(one));
  return html`
    <header class="page-head">
      <h1>Bin</h1>
      <span class="hint">Removed trees, newest first</span>
    </header>
    <h2>Can come back</h2>
    ${undoable.length === 0 && html`<p class="hint">Nothing is waiting here.</p>`}
    ${undoable.length > 0 && list(undoable, chosen)}
    ${rest.length > 0 && html`<h2>Under way, undone or gone</h2>`}
    ${rest.length > 0 && list(rest, chosen)}
    ${more(removals.value, size, removals)}
  `;
}

const list = (all, chosen) =>
  table(
    ["Tree", "", "Can be undone for", "What went", "State", "Removed", "Backup"],
    all.map((one) => line(one, one.removal_id === chosen, left(one), clock(one.began_at))),
  );

const line = kept((removal, isChosen, left, began) => {
  const canUndo = removal.state === "hidden" && removal.undo_until;
  return {
    key: removal.removal_id,
    class: isChosen ? "chosen" : undefined,
    cells: [
      [
        html`<strong key="name">${removal.session_name}</strong>`,
        html`<div class="hint" key="why">${removal.reason ?? ""}</div>`,
      ],
      html`
        <div class="buttons">
          ${app.mayAct && canUndo && html`<button onClick=${() => undo(removal)}>Undo</button>`}
          ${canUndo && command(`coppice undo ${removal.removal_id}`)}
          ${app.mayAct && isUnderWay(removal) && callOff(removal)}
        </div>
      `,
      canUndo ? left : "",
      `${many(removal.taken.sessions, "session")}, ${many(removal.taken.events, "event")}`,
      stateOf(removal),
      began,
      removal.backup && backup(removal),
    ],
  };
});

const isUnderWay = (removal) => !removal.over && removal.state !== "hidden";

function stateOf(removal) {
  const word = removal.state.replaceAll("_", " ");
  return isUnderWay(removal) ? `${word}, ${removal.percent} %` : word;
}

const backup = (removal) => html`
  <button
    class="quiet"
    onClick=${() =>
      app.attempt(() =>
        download(path`/removals/${removal.removal_id}/backup`, `${removal.session_name}.coppice`),
      )}
  >
    download ${bytes(removal.backup.size)}
  </button>
`;

const callOff = (removal) => html`
  <button
    key="off"
    onClick=${() => app.attempt(() => post(path`/removals/${removal.removal_id}/cancel`))}
  >
    Call off
  </button>
  <span key="same">${command(`coppice removals ${removal.removal_id} cancel`)}</span>
`;
