/** The sign-in: by a link from the command line, or with a token. */

import { html } from "../base/dom.js";
import { token } from "../base/api.js";

/** `enter` goes on with the token that was stored. */
export function signIn(enter, problem) {
  return html`
    <main class="sign-in">
      <h1>Coppice</h1>
      ${problem && html`<p class="refusal" role="alert">${problem.message}. ${problem.advice}</p>`}
      <p>Sign this browser in with a link from a terminal:</p>
      <pre>coppice open</pre>
      <p>or with a token:</p>
      <form
        onSubmit=${(event) => {
          event.preventDefault();
          const typed = event.target.querySelector("input").value;
          exchange(typed.trim(), enter, event.target);
        }}
      >
        <input type="password" aria-label="Token" autocomplete="off" required />
        <button type="submit">Sign in</button>
        <p class="refusal" role="alert"></p>
      </form>
      <p class="hint">
        The token is exchanged for one of this browser, and is not stored. The administrator's${" "}
        is in the file “token” of the data directory.
      </p>
    </main>
  `;
}

/** A token is used once, to make a link, and the link is redeemed. */
async function exchange(typed, enter, form) {
  const say = (text) => (form.querySelector("p").textContent = text);
  try {
    const made = await ask("/sign-in-links", {}, { Authorization: `Bearer ${typed}` });
    const signedIn = await ask("/sign-ins", { code: made.code }, {});
    token.set(signedIn.token);
    await enter();
  } catch (problem) {
    say(problem.message);
  }
}

async function ask(address, body, headers) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error ?? `The coordinator answers ${answer.status}`);
  return value;
}
