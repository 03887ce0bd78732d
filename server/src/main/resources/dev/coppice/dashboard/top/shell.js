/** The frame of every page: links to the pages, search, connection, and messages. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { go, to } from "../base/address.js";
import { length } from "../base/format.js";
import { stream } from "../base/stream.js";

const LINKS = [
  ["now", "Now"],
  ["asks", "Questions"],
  ["trees", "Trees"],
  ["waves", "Waves"],
  ["bin", "Bin"],
  ["runners", "Runners"],
  ["blueprints", "Blueprints"],
  ["alerts", "Alerts"],
  ["reports", "Reports"],
  ["audit", "Audit"],
  ["storage", "Storage"],
];

export function header(current) {
  return html`
    <header class="top" key="top">
      <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
      <a class="brand" href=${to("now")}>Coppice</a>
      <nav aria-label="Pages">
        ${LINKS.map(([page, name]) => html`
          <a key=${page} href=${to(page)} aria-current=${page === current ? "page" : undefined}>
            ${name}
          </a>
        `)}
      </nav>
      <form class="search" role="search" onSubmit=${search}>
        <input
          type="search"
          name="q"
          aria-label="Search sessions and events"
          placeholder="Search ( / )"
          autocomplete="off"
        />
      </form>
      ${connection()}
      <button class="quiet" onClick=${nextTheme} title="Light or dark">${app.theme}</button>
      <button class="quiet" onClick=${() => app.signOut()} title="Signed in as ${app.caller.role}">
        sign out
      </button>
    </header>
  `;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function search(event) {
  event.preventDefault();
  const text = new FormData(event.target).get("q").trim();
  if (text) go(to("search", "", { q: text }));
}

const THEMES = ["system", "light", "dark"];

function nextTheme() {
  app.theme = THEMES[(THEMES.indexOf(app.theme) + 1) % THEMES.length];
  localStorage.setItem("coppice.theme", app.theme);
  app.paint();
}

const CONNECTIONS = {
  live: ["●", "live"],
  connecting: ["○", "connecting"],
  lost: ["✗", "disconnected"],
  paused: ["■", "paused"],
};

function connection() {
  const [sign, word] = CONNECTIONS[stream.state];
  return html`
    <span class="connection ${stream.state}" role="status">
      <span aria-hidden="true">${sign}</span> ${word}
    </span>
  `;
}

/** A banner names stale data, with its age. */
export function banner(fresh) {
  const lost = stream.state === "lost";
  const error = fresh?.error && fresh.value ? fresh.error : null;
  if (!lost && !error) return null;
  const age = fresh?.at ? `What you see is ${length(Date.now() - fresh.at)} old. ` : "";
  return html`
    <div class="banner" role="alert" key="banner">
      ${lost ? `Disconnected for ${length(Date.now() - stream.since)}. ` : `${error.message}. `}
      ${age}
      ${lost ? "Connecting again…" : error.advice}
    </div>
  `;
}

export function footer() {
  const { message } = app;
  const isOver = !message || performance.now() > message.until;
  return html`
    <div class="messages" role="status" aria-live="polite" key="messages">
      ${!isOver && html`
        <p class="message ${message.tone ?? ""}">
          ${message.text}
          ${message.undo && html`
            <button
              onClick=${() => {
                const { undo } = message;
                app.message = null;
                undo();
              }}
            >
              ${message.undoName ?? "Undo (u)"}
            </button>
          `}
        </p>
      `}
    </div>
  `;
}

const KEYS = [
  ["j k ↑ ↓", "next and previous row"],
  ["← →", "close and open, or to the parent and the child"],
  ["[ ]", "one level less and more"],
  ["f", "next that failed"],
  ["w", "next that waits for a person"],
  ["c", "critical path, on the timeline"],
  ["Enter", "open the session"],
  ["e", "events of a session, and back to its conversation"],
  [".", "actions"],
  ["u", "undo the last removal"],
  ["/", "search"],
  ["?", "this help"],
];

export function help(close) {
  return html`
    <dialog
      class="help"
      key="help"
      aria-label="Keys"
      mount=${(element) => {
        const heading = document.createElement("h2");
        heading.textContent = "Keys";
        const list = document.createElement("dl");
        for (const [keys, meaning] of KEYS) {
          const term = document.createElement("dt");
          const description = document.createElement("dd");
          term.textContent = keys;
          description.textContent = meaning;
          list.append(term, description);
        }
        element.append(heading, list);
        element.onclose = close;
        element.onclick = () => element.close();
        element.showModal();
      }}
    />
  `;
}
