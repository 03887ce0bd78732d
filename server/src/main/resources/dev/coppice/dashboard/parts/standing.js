/** Answers in advance, each with the button that takes it back. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { path, remove } from "../base/api.js";
import { to } from "../base/address.js";
import { clock, many } from "../base/format.js";
import { table } from "./table.js";

const busy = new Map();

async function revoke(one, after) {
  const id = one.standing_answer_id;
  if (!busy.has(id)) busy.set(id, {});
  const done = await app.once(busy.get(id), () => remove(path`/standing-answers/${id}`));
  if (!done) return;
  app.say(`Revoked: ${one.match}`);
  after();
}

export function standingTable(answers, after) {
  return table(
    ["Below", "Answer", "Uses of tools", "Until", "Given by", "Used", ""],
    answers.map((one) => ({
      key: one.standing_answer_id,
      cells: [
        html`<a href=${to("session", one.session_id)}>${one.session_name}</a>`,
        one.answer,
        html`<code>${one.match}</code>`,
        one.state === "holds" ? clock(one.until) : one.state,
        one.made_by.toLowerCase(),
        many(one.uses, "time"),
        one.state === "holds" &&
          app.mayAct && html`<button onClick=${() => revoke(one, after)}>Revoke</button>`,
      ],
    })),
  );
}
