/** The directories of a tree, and what of them is saved nowhere else: a runner looks on demand. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { bytes } from "../base/format.js";
import { table } from "./table.js";

export class Work {
  constructor(session) {
    this.session = session;
    this.plan = null;
    this.isBusy = false;
  }

  /** The plan of a removal is only a look: nothing is removed. */
  async look() {
    this.isBusy = true;
    app.paint();
    this.plan = await app.attempt(() => get(path`/sessions/${this.session}/removal-plan`));
    this.isBusy = false;
    app.paint();
  }

  view() {
    return html`
      <h3 key="head">Work</h3>
      <button key="look" disabled=${this.isBusy} onClick=${() => this.look()}>
        ${this.isBusy ? "Looking…" : "Look for unsaved work"}
      </button>
      ${this.plan && this.found()}
    `;
  }

  found() {
    const { work, not_looked_at: hosts } = this.plan;
    return [
      work.length === 0 && html`<p class="hint" key="none">It has no directory.</p>`,
      hosts.map((host) => html`<p class="refusal" key=${host}>No runner looked on ${host}.</p>`),
      work.length > 0 &&
        table(
          ["Directory", "Host", "Branch", "Unsaved", "Size"],
          work.map((one) => ({
            key: `${one.host}:${one.directory}`,
            cells: [
              html`<code>${one.directory}</code>`,
              one.host,
              one.branch ?? "",
              one.unsaved ? html`<strong class="failed">${unsaved(one)}</strong>` : "nothing",
              bytes(one.bytes),
            ],
          })),
        ),
    ];
  }
}

/** Unsaved work in words. */
export function unsaved(one) {
  return ["uncommitted", "untracked", "stashed", "unpushed"]
    .filter((field) => one[field] > 0)
    .map((field) => `${one[field]} ${field}`)
    .join(", ");
}
