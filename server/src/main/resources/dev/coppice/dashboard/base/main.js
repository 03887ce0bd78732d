/** Begins the page: signs in, follows the address, and paints. */

import { app } from "./app.js";
import { get, post, remove, token, whenSignedOut } from "./api.js";
import { read } from "./address.js";
import { h, render } from "./dom.js";
import { ago } from "./format.js";
import { listen, start, stop, stream } from "./stream.js";
import { banner, footer, header, help } from "../parts/shell.js";
import { isMenuOpen, menu } from "../parts/menu.js";
import { panel } from "../parts/panel.js";
import { undoLast } from "../parts/removal.js";
import { walk } from "../parts/walk.js";
import { signIn } from "../pages/sign-in.js";
import * as alerts from "../pages/alerts.js";
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

const plainLink = app.link;
const PAGES = {
  now,
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
    h("main", { id: "main", class: shown.split("/")[0], key: "main", tabindex: "-1" }, content()),
    panel(),
    menu(),
    isHelpOpen && help(() => toggleHelp(false)),
    footer(),
  );
}

/** A fault in a page leaves the rest usable, and is told to whoever reads the console. */
function content() {
  try {
    return page.view();
  } catch (fault) {
    if (page.fault !== fault.message) console.error(fault);
    page.fault = fault.message;
    return h("p", { class: "refusal" }, `This page cannot be shown: ${fault.message}`);
  }
}

/** Shows the page of the address. The same page with another argument is another page. */
function follow() {
  if (location.hash.startsWith(CODE)) {
    enterWithCode();
    return;
  }
  if (!app.caller) return;
  const { page: name, argument, query } = read();
  const wanted = `${PAGES[name] ? name : "now"}/${argument}`;
  page?.close();
  shown = wanted;
  page = (PAGES[name] ?? now).open(argument, query);
  app.link = page.link ?? plainLink;
  app.closePanel();
  window.scrollTo(0, 0);
  app.paint();
}

async function enterWithCode() {
  const code = decodeURIComponent(location.hash.slice(CODE.length));
  // The code leaves the address before anything else can read it.
  history.replaceState(null, "", "#/now");
  try {
    const signedIn = await post("/sign-ins", { code });
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

whenSignedOut(() => {
  if (!app.caller) return;
  token.clear();
  stop();
  page?.close();
  app.caller = null;
  app.paint();
});

app.signOut = async () => {
  await app.attempt(() => remove("/sign-ins"));
  token.clear();
  stop();
  app.caller = null;
  app.paint();
};

function toggleHelp(isOpen) {
  isHelpOpen = isOpen;
  app.paint();
}

const isTyping = (element) =>
  /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) &&
  element.type !== "radio" &&
  element.type !== "checkbox";

document.addEventListener("keydown", (event) => {
  if (!app.caller || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && isHelpOpen) toggleHelp(false);
  if (isTyping(event.target) || isMenuOpen()) return;
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
  if (change.connection === "live" && change.count !== 0) page?.changed(change);
  app.panel?.changed?.();
  app.paint();
});

// Ages grow, and a lost connection gets older, although nothing happens.
setInterval(() => !document.hidden && app.caller && app.paint(), 1_000);

window.addEventListener("hashchange", follow);
if (location.hash.startsWith(CODE)) enterWithCode();
else enter();
