/** A command that does the same as the page, to copy. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";

export function command(text) {
  return html`
    <span class="command">
      <code>${text}</code>
      <button class="quiet" title="Copy the command" onClick=${() => copy(text)}>copy</button>
    </span>
  `;
}

/** A line with the command that does the same as a panel. */
export const same = (text) => html`
  <p class="same">The same on the command line: ${command(text)}</p>
`;

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    app.say("Copied");
  } catch {
    app.say(text);
  }
}

/** A word of a command line, quoted if a shell would split or expand it. */
export const quoted = (word) =>
  /^[A-Za-z0-9_.:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
