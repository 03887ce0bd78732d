/** A question with which a program waits: allow or deny, once or for a subtree and a time. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path, post } from "../base/api.js";
import { command } from "./copy.js";

const LENGTHS = [
  ["", "once"],
  ["15m", "for 15 minutes"],
  ["1h", "for 1 hour"],
  ["8h", "for 8 hours"],
];

/** Choices by the ids of their questions: a repaint must not lose them. */
const choices = new Map();
const NOTHING = { length: "", reach: "session", match: null };

const choice = (question) => choices.get(question.ask_id) ?? NOTHING;

function choose(question, change) {
  choices.set(question.ask_id, { ...choice(question), ...change, busy: false });
  app.paint();
}

async function answer(question, word) {
  const { length, reach, match } = choice(question);
  const state = { ...choice(question) };
  choices.set(question.ask_id, state);
  const given = await app.once(state, async () => {
    const advance = length && {
      for: length,
      below: await top(question, reach),
      ...(match && { match }),
    };
    return post(path`/asks/${question.ask_id}/answer`, { answer: word, ...advance });
  });
  if (!given) return;
  choices.delete(question.ask_id);
  app.say(`${given.state}: ${given.tool_name}`);
}

async function top(question, reach) {
  if (reach === "session") return question.session_id;
  const { session } = await get(path`/sessions/${question.session_id}`);
  return session.root_session_id;
}

export function heldForm(question) {
  const chosen = choice(question);
  return html`
    <form class="held" onSubmit=${(event) => event.preventDefault()}>
      <button type="button" key="allow" onClick=${() => answer(question, "allow")}>Allow</button>
      <button type="button" key="deny" onClick=${() => answer(question, "deny")}>Deny</button>
      ${select(question, "How long", "length", LENGTHS, chosen.length)}
      ${chosen.length &&
        select(
          question,
          "For which sessions",
          "reach",
          [
            ["session", "this session and below"],
            ["tree", "its whole tree"],
          ],
          chosen.reach,
        )}
      ${chosen.length && html`
        <input
          key="match"
          aria-label="For which uses"
          placeholder="just this, or a pattern such as Bash(npm *)"
          autocomplete="off"
          value=${chosen.match ?? ""}
          onInput=${(event) => choose(question, { match: event.target.value })}
        />
      `}
      <span key="same">${command(`coppice ask answer ${question.ask_id} allow`)}</span>
    </form>
  `;
}

const select = (question, label, field, options, value) => html`
  <select
    key=${field}
    aria-label=${label}
    value=${value}
    onChange=${(event) => choose(question, { [field]: event.target.value })}
  >
    ${options.map(([word, text]) => html`<option key=${word} value=${word}>${text}</option>`)}
  </select>
`;
