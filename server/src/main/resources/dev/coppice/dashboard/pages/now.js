/**
 * The first page: questions to the person before all else, then failures that nobody has looked at,
 * then the sessions at work, then the rest. Each lane keeps the order of birth.
 */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { get } from "../base/api.js";
import { to } from "../base/address.js";
import { ago, brief, count, dollars, length, many } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { openMenu } from "../parts/menu.js";
import { questionOf } from "../parts/question.js";
import { badge, hasFailed } from "../parts/state.js";

const SESSIONS_MAX = 200;
const SEEN = "coppice.seen";
const SEEN_MAX = 2_000;

/** The failures that the person has looked at, by session and time of the end. */
const seen = new Set(JSON.parse(localStorage.getItem(SEEN) ?? "[]"));

const failure = (one) => `${one.session_id}@${one.ended_at}`;

export function markSeen(one) {
  seen.add(failure(one));
  const kept = [...seen].slice(-SEEN_MAX);
  localStorage.setItem(SEEN, JSON.stringify(kept));
}

const LANES = [
  ["asks", "Waits for you"],
  ["failed", "Failed"],
  ["odd", "Silent, or burning its budget"],
  ["working", "At work"],
  ["idle", "Idle"],
  ["seen", "Seen"],
];

/** The lane of a session. */
function laneOf(one) {
  if (one.question) return "asks";
  if (hasFailed(one.state)) return seen.has(failure(one)) ? "seen" : "failed";
  if (one.attention === "silent" || one.attention === "burning") return "odd";
  return one.state === "idle" ? "idle" : "working";
}

export function open() {
  const activity = new Fresh(
    (signal) => get("/activity", { limit: SESSIONS_MAX }, { signal }),
    app.paint,
  );
  return {
    title: () => title(activity.value),
    changed: () => activity.refresh(),
    close: () => activity.close(),
    fresh: activity,
    view: () => view(activity),
  };
}

function title(value) {
  const waiting = value?.sessions.filter((one) => one.question).length ?? 0;
  return waiting ? `(${waiting}) Now` : "Now";
}

function view(activity) {
  if (!activity.value) return h("p", { class: "loading" }, "Loading…");
  const sessions = activity.value.sessions;
  if (sessions.length === 0) return empty();
  const born = [...sessions].sort((a, b) => (a.started_at ?? "").localeCompare(b.started_at ?? ""));
  const lanes = Map.groupBy(born, laneOf);
  return [
    h("h1", { class: "visually-hidden" }, "Now"),
    figures(sessions, lanes),
    LANES.filter(([lane]) => lanes.has(lane)).map(([lane, name]) =>
      laneView(lane, name, lanes.get(lane)),
    ),
    sessions.length >= SESSIONS_MAX &&
      h(
        "p",
        { class: "hint" },
        `These are the newest ${SESSIONS_MAX}. `,
        h("a", { href: to("trees") }, "All trees"),
      ),
  ];
}

const empty = () =>
  h(
    "div",
    { class: "empty" },
    h("h1", null, "Nothing is at work"),
    h("p", null, "Start something in a terminal, and watch it appear here:"),
    h("pre", null, "coppice start hello --agent scripted -p 'say hello'"),
    h("p", null, h("a", { href: to("trees") }, "Trees that have ended")),
  );

function figures(sessions, lanes) {
  const tops = sessions.filter(
    (one) => !sessions.some((other) => other.session_id === one.parent_session_id),
  );
  const cost = tops.reduce((sum, one) => sum + one.cost_micros, 0);
  const tokens = tops.reduce((sum, one) => sum + one.tokens, 0);
  const busy = sessions.reduce((sum, one) => sum + one.use.cpu_share, 0);
  const figure = (name, value) =>
    h("div", { class: "figure", key: name }, h("dd", null, value), h("dt", null, name));
  return h(
    "dl",
    { class: "figures" },
    figure("wait for you", count(lanes.get("asks")?.length ?? 0)),
    figure("failed", count(lanes.get("failed")?.length ?? 0)),
    figure("at work", count((lanes.get("working")?.length ?? 0) + (lanes.get("odd")?.length ?? 0))),
    figure("tokens", brief(tokens)),
    figure("spent", dollars(cost)),
    figure("processors", busy.toFixed(1)),
  );
}

function laneView(lane, name, sessions) {
  return h(
    "section",
    { class: `lane ${lane}`, key: lane, "aria-label": name },
    h(
      "h2",
      null,
      name,
      " ",
      h("span", { class: "hint" }, count(sessions.length)),
      lane === "failed" &&
        h("button", { class: "quiet", onClick: () => seenAll(sessions) }, "mark all as seen"),
    ),
    h(
      "ul",
      { class: "cards" },
      sessions.map((one) => card(one)),
    ),
  );
}

function seenAll(sessions) {
  sessions.forEach(markSeen);
  app.paint();
}

function card(one) {
  const parents = one.path.split(".").slice(0, -1).join(" › ");
  return h(
    "li",
    { class: "card", key: one.session_id },
    h(
      "div",
      { class: "card-head" },
      badge(one.question ? "asking" : one.state),
      h("a", { href: to("session", one.session_id), class: "label" }, one.session_name),
      !one.question &&
        one.reason &&
        hasFailed(one.state) &&
        h("span", { class: "why" }, one.reason),
      parents && h("span", { class: "hint path", title: one.path }, `in ${parents}`),
      h("span", { class: "grow" }),
      one.living_below > 0 &&
        h(
          "span",
          { class: "hint" },
          `${many(one.living_below, "live")} below`.replace("lives", "live"),
        ),
      one.tokens > 0 && h("span", { class: "hint" }, `${brief(one.tokens)} tokens`),
      one.cost_micros > 0 && h("span", { class: "hint" }, dollars(one.cost_micros)),
      h("span", { class: "hint" }, doing(one)),
      app.mayAct &&
        h(
          "button",
          {
            class: "quiet",
            "aria-label": `Actions on ${one.session_name}`,
            onClick: () => openMenu(one, { live: one.living_below + (one.ended_at ? 0 : 1) }),
          },
          "⋯",
        ),
    ),
    one.question && questionOf(one.question),
  );
}

function doing(one) {
  if (one.ended_at) return `${ago(one.ended_at)} ago`;
  const last = one.last_event;
  if (!last) return "";
  return `${last.tool ?? last.event_type.replaceAll("_", " ")}, ${length(one.silence_ms)} ago`;
}
