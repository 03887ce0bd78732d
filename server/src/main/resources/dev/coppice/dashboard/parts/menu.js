/** The actions on a session and all below it. Each says the command that does the same. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path, post } from "../base/api.js";
import { plain } from "../base/plain.js";
import { copy, quoted } from "./copy.js";
import { openRemoval } from "./removal.js";
import { isLive } from "./state.js";

/** The actions that make sense for a session; what is below it may live although it has ended. */
export function actionsOn(session, tally) {
  const name = quoted(session.session_name);
  const lives = isLive(session.state) || (tally?.live ?? 0) > 0;
  const all = [
    {
      name: "Message…",
      offered: session.state === "running" || session.state === "idle",
      command: `coppice send ${name} TEXT`,
      run: () => app.open({ kind: "message", session }),
    },
    {
      name: "Stop the tree…",
      offered: lives,
      command: `coppice stop ${name} --tree`,
      run: () => app.open({ kind: "stop", session, tally }),
    },
    {
      name: "Retry",
      offered: !isLive(session.state) && session.state !== "finished",
      command: `coppice retry ${name}`,
      run: () => retry(session),
    },
    {
      name: "Freeze",
      offered: lives && !session.frozen_at,
      command: `coppice freeze ${name}`,
      run: () => freeze(session),
    },
    {
      name: "Thaw",
      offered: Boolean(session.frozen_at),
      command: `coppice thaw ${name}`,
      run: () => thaw(session),
    },
    {
      name: "Place under a parent…",
      offered: !session.parent_session_id,
      command: `coppice attach ${name} PARENT`,
      run: () => openAttach(session),
    },
    {
      name: "Remove…",
      offered: true,
      command: `coppice rm ${name}`,
      run: () => openRemoval(session),
    },
  ].filter((action) => app.mayAct && action.offered);
  all.push({
    name: "Copy link",
    run: () => copy(new URL(app.link(session.session_id), location.href).href),
  });
  return all;
}

/** Offers the parent that the session had before, if that is still there. */
export async function openAttach(session) {
  const panel = { kind: "attach", session, parent: "" };
  app.open(panel);
  if (!session.detached_from) return;
  try {
    const before = await get(path`/sessions/${session.detached_from}`);
    panel.parent ||= before.session.session_name;
    app.paint();
  } catch {
    // It has gone, or nobody knows which it was.
  }
}

async function retry(session) {
  await app.attempt(async () => {
    const begun = await post(path`/sessions/${session.session_id}/retry`, {});
    app.say(`${session.session_name} is tried again as ${begun.session_name}`);
  });
}

async function freeze(session) {
  await app.attempt(async () => {
    await post(path`/sessions/${session.session_id}/freeze`, {});
    app.say(`${session.session_name} is frozen`, {
      undo: () => thaw(session),
      undoName: "Thaw",
    });
  });
}

async function thaw(session) {
  await app.attempt(async () => {
    await post(path`/sessions/${session.session_id}/thaw`, {});
    app.say(`${session.session_name} goes on`);
  });
}

/** The open menu: one at a time. */
let open = null;

export const isMenuOpen = () => open !== null;

export function openMenu(session, tally) {
  open = { session, tally, at: 0 };
  app.paint();
}

/** Opens the menu for a session of which only the id is at hand. */
export async function openMenuOf(id) {
  const found = await app.attempt(() =>
    Promise.all([get(path`/sessions/${id}`), get(path`/sessions/${id}/health`)]),
  );
  if (!found) return;
  const [{ session }, { health }] = found;
  openMenu(session, { live: health.living_below + (isLive(session.state) ? 1 : 0) });
}

export function closeMenu() {
  if (!open) return;
  open = null;
  app.paint();
}

function choose(action) {
  closeMenu();
  action.run();
  app.paint();
}

export function menu() {
  if (!open) return null;
  const actions = actionsOn(open.session, open.tally);
  return html`
    <dialog
      class="menu"
      key="menu"
      aria-label="Actions on ${open.session.session_name}"
      mount=${(element) => showMenu(element, actions)}
    />
  `;
}

/** The command that does the same, which copies itself. */
function sameAs(text) {
  const button = document.createElement("button");
  const code = document.createElement("code");
  code.textContent = plain(text);
  button.className = "quiet";
  button.title = "Copy the command";
  button.append(code);
  button.onclick = () => copy(text);
  return button;
}

/** A dialogue of the browser keeps the focus inside, and Escape closes it. */
function showMenu(element, actions) {
  element.append(
    ...actions.map((action) => {
      const row = document.createElement("div");
      const button = document.createElement("button");
      button.textContent = action.name;
      button.onclick = () => choose(action);
      row.append(button);
      if (action.command) row.append(sameAs(action.command));
      return row;
    }),
  );
  element.onkeydown = (event) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return;
    const buttons = [...element.querySelectorAll("button:first-child")];
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
    event.preventDefault();
    event.stopPropagation();
  };
  element.onclose = () => closeMenu();
  element.onclick = (event) => event.target === element && element.close();
  element.showModal();
  return () => element.open && element.close();
}
