/** A question of an agent: what it asks, for how long, and the answer in place. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { path, post } from "../base/api.js";
import { ago } from "../base/format.js";

/** Answers that were begun, by the numbers of their questions: a repaint must not lose them. */
const drafts = new Map();

async function answer(question, text) {
  const given = await app.attempt(() =>
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
    return { ...by, permission: /^(y|yes|allow|approve|ok)/i.test(text) };
  }
  return question.form === "choice" ? { ...by, choice: text } : { ...by, response: text };
}

const optionsOf = (question) =>
  question.form === "permission" && question.options.length === 0
    ? ["allow", "deny"]
    : question.options;

export function questionOf(question) {
  const options = optionsOf(question);
  return h(
    "div",
    { class: "question", key: `question-${question.event_id}` },
    h(
      "p",
      { class: "asked" },
      question.text,
      " ",
      h("span", { class: "hint" }, `waits for ${ago(question.asked_at)}`),
    ),
    app.mayAct &&
      h(
        "form",
        {
          onSubmit: (event) => {
            event.preventDefault();
            const text = drafts.get(question.event_id) ?? "";
            if (text.trim()) answer(question, text);
          },
        },
        options.map((option) =>
          h(
            "button",
            { type: "button", key: option, onClick: () => answer(question, option) },
            option,
          ),
        ),
        h("input", {
          "aria-label": "Answer",
          placeholder: options.length ? "or in words" : "Answer",
          autocomplete: "off",
          value: drafts.get(question.event_id) ?? "",
          onInput: (event) => drafts.set(question.event_id, event.target.value),
        }),
        h("button", { type: "submit" }, "Send"),
      ),
  );
}
