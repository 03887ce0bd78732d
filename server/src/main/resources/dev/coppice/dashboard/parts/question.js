/** A question of an agent: what it asks, for how long, and the answer in place. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { path, post } from "../base/api.js";
import { command } from "./copy.js";
import { ago } from "../base/format.js";
import { heldForm } from "./held.js";
import { isSeen, see } from "./seen.js";

/** Answers that were begun, by the numbers of their questions: a repaint must not lose them. */
const drafts = new Map();
const busy = new Map();

async function answer(question, text) {
  if (!busy.has(question.event_id)) busy.set(question.event_id, {});
  const given = await app.once(busy.get(question.event_id), () =>
    question.answer === "response"
      ? post(path`/events/${question.event_id}/respond`, response(question, text))
      : post(path`/sessions/${question.session_id}/messages`, { text, when_busy: "steer" }),
  );
  if (!given) return;
  drafts.delete(question.event_id);
  app.say(`Answered: ${text}`);
}

function response(question, text) {
  const by = { respondedBy: "dashboard" };
  if (question.form === "permission") {
    return { ...by, permission: text === ALLOW };
  }
  return question.form === "choice" ? { ...by, choice: text } : { ...by, response: text };
}

const ALLOW = "allow";

/** A permission is given or refused by a button, and never by words that need interpretation. */
const isPermission = (question) => question.form === "permission";
const optionsOf = (question) => (isPermission(question) ? [ALLOW, "deny"] : question.options);

export function questionOf(question) {
  return html`
    <div class="question" key="question-${question.event_id}">
      <p class="asked">
        ${question.text} <span class="hint">waits for ${ago(question.asked_at)}</span>
      </p>
      ${app.mayAct && (FORMS[question.answer] ?? form)(question)}
    </div>
  `;
}

/** Coppice did not start its program, which alone can take an answer. */
const elsewhere = (question) => html`
  <p>
    <span class="hint">Answer it in its own program. </span>
    ${!isSeen(question) && html`<button onClick=${() => see(question)}>Dismiss</button>`}
  </p>
`;

const FORMS = { held: heldForm, elsewhere };

function form(question) {
  const options = optionsOf(question);
  const send = (event) => {
    event.preventDefault();
    const text = drafts.get(question.event_id) ?? "";
    if (text.trim()) answer(question, text);
  };
  return html`
    <form onSubmit=${send}>
      ${options.map((option) => html`
        <button type="button" key=${option} onClick=${() => answer(question, option)}>
          ${option}
        </button>
      `)}
      ${!isPermission(question) && html`
        <input
          key="words"
          aria-label="Answer"
          placeholder=${options.length ? "or in words" : "Answer"}
          autocomplete="off"
          value=${drafts.get(question.event_id) ?? ""}
          onInput=${(event) => drafts.set(question.event_id, event.target.value)}
        />
        <button key="send" type="submit">Send</button>
        ${question.answer === "message" && html`
          <span key="same">${command(`coppice ask answer ${question.session_id} ANSWER`)}</span>
        `}
      `}
    </form>
  `;
}
