/**
 * A removal in place: its plan, the choices in words, the progress, and the undo. A person types
 * something only where unsaved work would be lost.
 */

import { html } from "../base/dom.js";
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
    html`<h2>Remove ${panel.session.session_name}?</h2>`,
    !plan && (panel.plan.error ? problem(panel.plan.error) : html`<p>Looking…</p>`),
    plan && picture(plan),
    plan && html`<div class="choices">${CHOICES.map((one) => choice(panel, plan, one))}</div>`,
    plan && objections(plan),
    plan && confirmation(panel, plan),
    same(sameCommand(panel)),
  ];
}

const problem = (error) => html`<p class="refusal">${error.message} ${error.advice}</p>`;

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
  return html`
    <fieldset key=${one.name}>
      <legend>${one.title}</legend>
      ${one.options.map(([value, said]) => html`
        <label key=${value}>
          <input
            type="radio"
            name=${one.name}
            checked=${panel.choices[one.name] === value}
            onChange=${() => {
              panel.choices[one.name] = value;
              panel.plan.restart();
            }}
          />
          ${said}
        </label>
      `)}
    </fieldset>
  `;
}

/** The advice of the coordinator is for programs; this is for the person before the choices. */
const ADVICE = {
  still_running: "Choose “stop it first”, or wait until it has ended.",
  critical_operations: "Wait, or choose that they are interrupted.",
};

const objections = (plan) =>
  plan.refusals.map((one) => html`
    <p class="refusal" key=${one.code}>
      ✗ ${one.said}. <span class="hint">${ADVICE[one.code] ?? one.advice}</span>
    </p>
  `);

function confirmation(panel, plan) {
  const mustType = plan.needs_confirm;
  const isTyped = panel.typed === panel.session.session_name;
  const isReady = plan.allowed && (!mustType || isTyped) && !panel.isBusy;
  return html`
    <form
      class="confirm"
      onSubmit=${(event) => {
        event.preventDefault();
        if (isReady) carryOut(panel);
      }}
    >
      ${mustType && html`
        <label>
          This discards unsaved work. Type ${panel.session.session_name} to go on:${" "}
          <input
            value=${panel.typed}
            autocomplete="off"
            onInput=${(event) => {
              panel.typed = event.target.value;
              app.paint();
            }}
          />
        </label>
      `}
      <button class="danger" type="submit" disabled=${!isReady}>
        Remove ${many(plan.sessions, "session")}
      </button>
      <button type="button" onClick=${() => app.closePanel()}>Cancel</button>
      ${plan.choices.purge === "later" && html`<span class="hint">${undoHint(plan)}</span>`}
    </form>
  `;
}

function undoHint(plan) {
  const isLost = plan.choices.work === "discard" && plan.work.some((one) => one.unsaved);
  const lost = isLost ? " What is lost for good does not come back." : "";
  return `You can undo it: the bin says until when.${lost}`;
}

const STEP_SIGNS = { to_come: "○", under_way: "●", done: "✓", taken_back: "–" };

function progress(panel, removal) {
  if (!removal) return html`<h2>Removing ${panel.session.session_name}…</h2>`;
  return html`
    <h2>Removing ${removal.session_name}: ${removal.percent} %</h2>
    <progress max="100" value=${removal.percent} aria-label="progress" />
    <ol class="steps">
      ${removal.steps.map((one) => html`
        <li key=${one.step} class=${one.state}>
          ${STEP_SIGNS[one.state] ?? "·"} ${one.step.replaceAll("_", " ")}
        </li>
      `)}
    </ol>
    ${removal.waits_for && html`<p class="hint">It waits for ${removal.waits_for}.</p>`}
    ${removal.telling && html`
      <p class="hint">${count(removal.telling.told)} of ${count(removal.telling.all)} are told</p>
    `}
    ${members(removal)}
    ${!removal.over && removal.state !== "hidden" && html`
      <button
        onClick=${() => app.attempt(() => post(path`/removals/${removal.removal_id}/cancel`))}
      >
        Call it off
      </button>
    `}
    ${!removal.over &&
      removal.state !== "hidden" &&
      same(`coppice removals ${removal.removal_id} cancel`)}
    <a href=${to("bin", removal.removal_id)}>Show it in the bin</a>
  `;
}

const OUTCOME_SIGNS = { to_be_removed: "○", hidden: "✓", deleted: "✓", stays: "–" };

/** Each session, with its outcome so far. */
function members({ outcomes, taken }) {
  return html`
    <ul class="members" tabindex="0" aria-label="Sessions">
      ${outcomes.map((one) => html`
        <li key=${one.session_id}>
          ${OUTCOME_SIGNS[one.outcome] ?? "●"} ${one.session_name}${" "}
          <span class="hint">
            ${one.outcome.replaceAll("_", " ")}
            ${one.was_stopped && ", was stopped"}
            ${one.was_given_up && ", could not be stopped in time"}
          </span>
        </li>
      `)}
      ${taken.sessions > outcomes.length && html`
        <li class="hint">and ${count(taken.sessions - outcomes.length)} more</li>
      `}
    </ul>
  `;
}

/** In place of what was removed: who removed it is said, and it can come back from here. */
export function removed(error) {
  const id = error.removal;
  return html`
    <div class="empty">
      <h1>This session was removed</h1>
      <p>${error.message}</p>
      ${id && app.mayAct && html`
        <button onClick=${() => app.attempt(async () => undo(await get(path`/removals/${id}`)))}>
          Undo
        </button>
      `}
      <p><a href=${to("bin", id ?? "")}>The bin has what can still come back</a></p>
    </div>
  `;
}

/** The time for which a removal can still be undone. */
export const left = (removal) =>
  removal.undo_until ? length(Date.parse(removal.undo_until) - now()) : "";
