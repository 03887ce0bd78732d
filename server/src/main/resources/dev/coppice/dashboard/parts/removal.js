/**
 * A removal in place: its plan, the choices in words, the progress, and the undo. A person types
 * something only where unsaved work would be lost.
 */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path, post, withQuery } from "../base/api.js";
import { Fresh } from "../base/fresh.js";
import { to } from "../base/address.js";
import { count, length, many, now } from "../base/format.js";
import { quoted, same } from "./copy.js";
import { picture, readPlan } from "./plan.js";

/** Sessions that the progress shows. */
const MEMBERS = 500;

/** The choices: what the API calls them, what they mean, and the option of the command line. */
const CHOICES = [
  {
    name: "running",
    title: "What still runs",
    options: [
      ["refuse", "refuse while anything runs", ""],
      ["stop", "stop it first, children before parents", "--stop"],
    ],
  },
  {
    name: "children",
    title: "The sessions below",
    options: [
      ["cascade", "go with it", ""],
      ["detach", "stay, as trees of their own", "--detach"],
    ],
  },
  {
    name: "work",
    title: "Unsaved work",
    options: [
      ["preserve", "is preserved first", ""],
      ["discard", "is lost for good", "--discard"],
    ],
  },
  {
    name: "critical",
    title: "Critical operations",
    options: [
      ["refuse", "are not interrupted", ""],
      ["override", "are interrupted", "--override"],
    ],
  },
  {
    name: "backup",
    title: "A backup",
    options: [
      ["yes", "is written", ""],
      ["no", "is not written", "--no-backup"],
    ],
  },
];

export function openRemoval(session) {
  const choices = Object.fromEntries(CHOICES.map((one) => [one.name, one.options[0][0]]));
  const panel = { kind: "removal", session, choices, typed: "", removal: null, isBusy: false };
  panel.plan = new Fresh(
    (signal) => readPlan(session.session_id, panel.choices, signal),
    app.paint,
  );
  panel.close = () => {
    panel.plan.close();
    panel.removal?.close();
  };
  panel.changed = () => (panel.removal ?? panel.plan).refresh();
  app.open(panel);
}

const reason = (panel) => (panel.choices.critical === "override" ? "overridden on the page" : null);

async function carryOut(panel) {
  panel.isBusy = true;
  app.paint();
  const begun = await app.attempt(() =>
    post(path`/sessions/${panel.session.session_id}/removal`, {
      ...panel.choices,
      confirm: panel.plan.value.digest,
      reason: reason(panel),
    }),
  );
  panel.isBusy = false;
  if (begun) follow(panel, begun.removal_id);
  app.paint();
}

/** Reads a removal with its sessions; of very many, the first. */
async function readProgress(id, signal) {
  const removal = await get(path`/removals/${id}`, {}, { signal });
  if (!removal.more_outcomes) return removal;
  const { sessions } = await get(removal.more_outcomes, { limit: MEMBERS }, { signal });
  return { ...removal, outcomes: sessions };
}

/** Shows the progress, and offers the undo as soon as there is something to undo. */
function follow(panel, id) {
  panel.plan.close();
  panel.removal = new Fresh(
    (signal) => readProgress(id, signal),
    () => {
      const removal = panel.removal.value;
      const isDone = removal?.state === "hidden" && !panel.told;
      if (isDone) {
        panel.told = true;
        offerUndo(removal);
        if (app.panel === panel) app.closePanel();
      }
      app.paint();
      if (removal && !isDone && !removal.over) panel.removal.refresh();
    },
  );
}

/** The last removal that this page can take back. */
let last = null;

export function offerUndo(removal) {
  last = removal;
  app.say(`${removal.session_name} is removed, with ${many(removal.taken.sessions, "session")}`, {
    undo: () => undo(removal),
    millis: 20_000,
  });
}

export async function undoLast() {
  if (last) await undo(last);
  else app.say("Nothing was removed from this page. The bin has what can still come back.");
}

/** Brings a removed tree back; with `rename`, under new names where others have taken them. */
export async function undo(removal, rename = false) {
  const address = withQuery(path`/removals/${removal.removal_id}/undo`, { wait: "20s" });
  try {
    const undone = await post(address, { rename });
    if (last?.removal_id === removal.removal_id) last = null;
    app.say(restored(removal, undone.not_reattached ?? []));
  } catch (problem) {
    if (problem.cause !== "names_taken") {
      app.refused(problem);
      return;
    }
    app.say(`${problem.message}.`, {
      undo: () => undo(removal, true),
      undoName: "Undo with new names",
      millis: 30_000,
    });
  }
}

const restored = (removal, left) =>
  left.length
    ? `${removal.session_name} is back; these found another parent: ${left.join(", ")}`
    : `${removal.session_name} is back, with ${many(removal.taken.sessions, "session")}`;

export function removalPanel(panel) {
  const removal = panel.removal?.value;
  if (panel.removal) return progress(panel, removal);
  const plan = panel.plan.value;
  return [
    h("h2", null, `Remove ${panel.session.session_name}?`),
    !plan && (panel.plan.error ? problem(panel.plan.error) : h("p", null, "Looking…")),
    plan && picture(plan),
    plan &&
      h(
        "div",
        { class: "choices" },
        CHOICES.map((one) => choice(panel, plan, one)),
      ),
    plan && objections(plan),
    plan && confirmation(panel, plan),
    same(sameCommand(panel)),
  ];
}

const problem = (error) => h("p", { class: "refusal" }, error.message, " ", error.advice);

function sameCommand(panel) {
  const options = CHOICES.flatMap((one) =>
    one.options
      .filter(([value]) => value === panel.choices[one.name])
      .map(([, , option]) => option),
  ).filter(Boolean);
  const why = panel.choices.critical === "override" ? ["--reason", "'overridden'"] : [];
  return ["coppice rm", quoted(panel.session.session_name), ...options, ...why].join(" ");
}

const isRefused = (plan, code) => plan.refusals.some((one) => one.code === code);

function choice(panel, plan, one) {
  const isMoot =
    (one.name === "running" && plan.live_runs === 0 && !isRefused(plan, "still_running")) ||
    (one.name === "critical" && plan.critical_operations.length === 0) ||
    (one.name === "work" && !plan.work.some((item) => item.unsaved)) ||
    (one.name === "children" && plan.sessions === 1 && panel.choices.children === "cascade");
  if (isMoot) return null;
  return h(
    "fieldset",
    { key: one.name },
    h("legend", null, one.title),
    one.options.map(([value, said]) =>
      h(
        "label",
        { key: value },
        h("input", {
          type: "radio",
          name: one.name,
          checked: panel.choices[one.name] === value,
          onChange: () => {
            panel.choices[one.name] = value;
            panel.plan.restart();
          },
        }),
        said,
      ),
    ),
  );
}

/** The advice of the coordinator is for programs; this is for the person before the choices. */
const ADVICE = {
  still_running: "Choose “stop it first”, or wait until it has ended.",
  critical_operations: "Wait, or choose that they are interrupted.",
};

const objections = (plan) =>
  plan.refusals.map((one) =>
    h(
      "p",
      { class: "refusal", key: one.code },
      `✗ ${one.said}. `,
      h("span", { class: "hint" }, ADVICE[one.code] ?? one.advice),
    ),
  );

function confirmation(panel, plan) {
  const mustType = plan.needs_confirm;
  const isTyped = panel.typed === panel.session.session_name;
  const isReady = plan.allowed && (!mustType || isTyped) && !panel.isBusy;
  return h(
    "form",
    {
      class: "confirm",
      onSubmit: (event) => {
        event.preventDefault();
        if (isReady) carryOut(panel);
      },
    },
    mustType &&
      h(
        "label",
        null,
        `This discards unsaved work. Type ${panel.session.session_name} to go on: `,
        h("input", {
          value: panel.typed,
          autocomplete: "off",
          onInput: (event) => {
            panel.typed = event.target.value;
            app.paint();
          },
        }),
      ),
    h(
      "button",
      { class: "danger", type: "submit", disabled: !isReady },
      `Remove ${many(plan.sessions, "session")}`,
    ),
    h("button", { type: "button", onClick: () => app.closePanel() }, "Cancel"),
    plan.choices.purge === "later" && h("span", { class: "hint" }, undoHint(plan)),
  );
}

function undoHint(plan) {
  const isLost = plan.choices.work === "discard" && plan.work.some((one) => one.unsaved);
  const lost = isLost ? " What is lost for good does not come back." : "";
  return `You can undo it: the bin says until when.${lost}`;
}

const STEP_SIGNS = { to_come: "○", under_way: "●", done: "✓", taken_back: "–" };

function progress(panel, removal) {
  if (!removal) return [h("h2", null, `Removing ${panel.session.session_name}…`)];
  return [
    h("h2", null, `Removing ${removal.session_name}: ${removal.percent} %`),
    h("progress", { max: "100", value: removal.percent, "aria-label": "progress" }),
    h(
      "ol",
      { class: "steps" },
      removal.steps.map((one) =>
        h(
          "li",
          { key: one.step, class: one.state },
          `${STEP_SIGNS[one.state] ?? "·"} ${one.step.replaceAll("_", " ")}`,
        ),
      ),
    ),
    removal.waits_for && h("p", { class: "hint" }, `It waits for ${removal.waits_for}.`),
    removal.telling &&
      h(
        "p",
        { class: "hint" },
        `${count(removal.telling.told)} of ${count(removal.telling.all)} are told`,
      ),
    members(removal),
    !removal.over &&
      removal.state !== "hidden" &&
      h(
        "button",
        { onClick: () => app.attempt(() => post(path`/removals/${removal.removal_id}/cancel`)) },
        "Call it off",
      ),
    !removal.over &&
      removal.state !== "hidden" &&
      same(`coppice removals ${removal.removal_id} cancel`),
    h("a", { href: to("bin", removal.removal_id) }, "Show it in the bin"),
  ];
}

const OUTCOME_SIGNS = { to_be_removed: "○", hidden: "✓", deleted: "✓", stays: "–" };

/** Each session, with its outcome so far. */
function members({ outcomes, taken }) {
  return h(
    "ul",
    { class: "members", tabindex: "0", "aria-label": "Sessions" },
    outcomes.map((one) =>
      h(
        "li",
        { key: one.session_id },
        `${OUTCOME_SIGNS[one.outcome] ?? "●"} ${one.session_name} `,
        h(
          "span",
          { class: "hint" },
          one.outcome.replaceAll("_", " "),
          one.was_stopped && ", was stopped",
          one.was_given_up && ", could not be stopped in time",
        ),
      ),
    ),
    taken.sessions > outcomes.length &&
      h("li", { class: "hint" }, `and ${count(taken.sessions - outcomes.length)} more`),
  );
}

/** In place of what was removed: who removed it is said, and it can come back from here. */
export function removed(error) {
  const id = error.removal;
  return h(
    "div",
    { class: "empty" },
    h("h1", null, "This session was removed"),
    h("p", null, error.message),
    id &&
      app.mayAct &&
      h(
        "button",
        { onClick: () => app.attempt(async () => undo(await get(path`/removals/${id}`))) },
        "Undo",
      ),
    h("p", null, h("a", { href: to("bin", id ?? "") }, "The bin has what can still come back")),
  );
}

/** The time for which a removal can still be undone. */
export const left = (removal) =>
  removal.undo_until ? length(Date.parse(removal.undo_until) - now()) : "";
