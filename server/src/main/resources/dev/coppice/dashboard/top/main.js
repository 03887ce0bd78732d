/** Begins the page: signs in, follows the address, and paints. */

import { app } from "../base/app.js";
import { get, post, remove, token, whenSignedOut } from "../base/api.js";
import { decode, read, to } from "../base/address.js";
import { html, render } from "../base/dom.js";
import { listen, start, stop, stream } from "../base/stream.js";
import { closeMenu, isMenuOpen, menu } from "../parts/menu.js";
import { panel } from "../parts/panel.js";
import { undoLast } from "../parts/removal.js";
import { signIn } from "../pages/sign-in.js";
import * as alerts from "../pages/alerts.js";
import * as asks from "../pages/asks.js";
import * as compare from "../pages/compare.js";
import * as reclaim from "../pages/reclaim.js";
import * as replay from "../pages/replay.js";
import * as audit from "../pages/audit.js";
import * as blueprints from "../pages/blueprints.js";
import * as reports from "../pages/reports.js";
import * as runners from "../pages/runners.js";
import * as storage from "../pages/storage.js";
import * as waves from "../pages/waves.js";
import * as bin from "../pages/bin.js";
import * as now from "../pages/now.js";
import * as search from "../pages/search.js";
import * as timeline from "../pages/timeline.js";
import * as session from "../pages/session.js";
import * as tree from "../pages/tree.js";
import * as trees from "../pages/trees.js";
import { banner, footer, header, help } from "./shell.js";
import { walk } from "./walk.js";

const plainLink = app.link;
const PAGES = {
  now,
  asks,
  trees,
  tree,
  timeline,
  session,
  waves,
  bin,
  runners,
  blueprints,
  alerts,
  audit,
  reports,
  storage,
  search,
  compare,
  replay,
  reclaim,
};
const CODE = "#sign-in=";

const root = document.getElementById("app");
let page = null;
let shown = "";
let isHelpOpen = false;
let isPainting = false;

app.paint = () => {
  if (isPainting) return;
  isPainting = true;
  requestAnimationFrame(() => {
    isPainting = false;
    paint();
  });
};

function paint() {
  try {
    paintAll();
  } catch (fault) {
    render(root, faulty(fault));
  }
}

function paintAll() {
  if (!app.caller) {
    render(root, signIn(enter));
    document.title = "Sign in · Coppice";
    return;
  }
  document.title = `${page.title()} · Coppice`;
  document.documentElement.dataset.theme = app.theme;
  render(
    root,
    header(read().page),
    banner(page.fresh),
    html`<main id="main" class=${shown} key="main" tabindex="-1">${content()}</main>`,
    panel(),
    menu(),
    isHelpOpen && help(() => toggleHelp(false)),
    footer(),
  );
}

/** A fault in a page leaves the rest usable. */
function content() {
  try {
    return page.view();
  } catch (fault) {
    return faulty(fault);
  }
}

let lastFault = null;

/** Tells whoever reads the console of a fault, once. */
function faulty(fault) {
  if (lastFault !== fault.message) console.error(fault);
  lastFault = fault.message;
  return html`<p class="refusal">This page cannot be shown: ${fault.message}</p>`;
}

/** Shows the page of the address. The same page with another argument is another page. */
function follow() {
  if (location.hash.startsWith(CODE)) {
    enterWithCode();
    return;
  }
  if (!app.caller) return;
  const { page: name, argument, query } = read();
  const isKnown = Object.hasOwn(PAGES, name);
  page?.close();
  shown = isKnown ? name : "unknown";
  page = isKnown ? PAGES[shown].open(argument, query) : unknown(name);
  app.link = page.link ?? plainLink;
  app.closePanel();
  window.scrollTo(0, 0);
  app.paint();
}

/** In place of a page, for an address that none has. */
const unknown = (name) => ({
  title: () => "Unknown address",
  changed: () => {},
  close: () => {},
  view: () => html`
    <div class="empty">
      <h1>There is no page “${name}”</h1>
      <p>The address may be of another version, or mistyped. <a href=${to("now")}>Go to Now</a></p>
    </div>
  `,
});

async function enterWithCode() {
  const code = decode(location.hash.slice(CODE.length));
  // The code leaves the address before anything else can read it.
  history.replaceState(null, "", "#/now");
  try {
    const signedIn = await post("/sign-ins", { code });
    // The token that this browser had is of no use any more.
    if (token.get()) await remove("/sign-ins").catch(() => {});
    token.set(signedIn.token);
    await enter();
  } catch (problem) {
    if (token.get()) await enter();
    else render(root, signIn(enter, problem));
  }
}

/** Begins with the token of this browser, if it has a valid one. */
async function enter() {
  if (!token.get()) {
    app.caller = null;
    app.paint();
    return;
  }
  try {
    app.caller = await get("/caller");
  } catch (problem) {
    if (problem.status === 401) token.clear();
    app.caller = null;
    render(root, signIn(enter, problem.status === 401 ? null : problem));
    return;
  }
  start();
  follow();
}

whenSignedOut(() => app.caller && leave());

function leave() {
  token.clear();
  stop();
  page?.close();
  app.closePanel();
  closeMenu();
  app.caller = null;
  app.paint();
}

/** Without an answer the token stays valid, so the person stays signed in and can try again. */
app.signOut = () =>
  app.attempt(async () => {
    await remove("/sign-ins");
    leave();
  });

function toggleHelp(isOpen) {
  isHelpOpen = isOpen;
  app.paint();
}

const isTyping = (element) =>
  /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) &&
  element.type !== "radio" &&
  element.type !== "checkbox";

/** Keys that controls and scrolled texts use themselves. */
const OF_CONTROLS = /^(Enter| |Arrow.*|Home|End|Page.*)$/;
const CONTROLS = "a[href], button, input, summary, pre, .panel, [tabindex='0']:not(.rows, .lanes)";

const isForControl = (event) => OF_CONTROLS.test(event.key) && event.target.closest(CONTROLS);

document.addEventListener("keydown", (event) => {
  if (!app.caller || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (isHelpOpen) toggleHelp(false);
    else if (app.panel && !isMenuOpen()) app.closePanel();
  }
  if (isTyping(event.target) || isMenuOpen() || isForControl(event)) return;
  if (page.key?.(event) || walk(event)) {
    event.preventDefault();
    return;
  }
  const action = {
    "/": () => document.querySelector(".search input")?.focus(),
    "?": () => toggleHelp(!isHelpOpen),
    u: () => undoLast(),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

listen((change) => {
  if (change.connection === "live" && (change.isFirst || change.count !== 0)) changed(change);
  if (change.isFirst) page?.fresh?.hurry();
  app.paint();
});

let lastChange = 0;

function changed(change) {
  lastChange = performance.now();
  page?.changed(change);
  app.panel?.changed?.();
}

/** Silence, costs and what is not an event change without one. */
const REFRESH = 10_000;

// Ages grow, and a lost connection gets older, although nothing happens.
setInterval(() => {
  if (document.hidden || !app.caller) return;
  const isDue = performance.now() - lastChange > REFRESH;
  if (isDue && stream.state === "live") changed({ sessions: null, count: 0 });
  app.paint();
}, 1_000);

window.addEventListener("hashchange", follow);
if (location.hash.startsWith(CODE)) enterWithCode();
else enter();
