/** The form that uploads a backup and restores its tree, completely or not at all. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { path, post, withQuery } from "../base/api.js";
import { bytes } from "../base/format.js";
import { command, quoted } from "./copy.js";

const PART = 2 * 1024 * 1024;

export class RestoreForm {
  constructor() {
    this.file = null;
    this.sent = 0;
    this.isBusy = false;
    this.choices = { as_root: false, new_ids: false, rename: false };
  }

  async submit(event) {
    event.preventDefault();
    if (!this.file || this.isBusy) return;
    this.isBusy = true;
    app.paint();
    const restored = await app.attempt(() => this.restore());
    this.isBusy = false;
    if (restored) app.say(`${restored.session_name} is being restored`);
    app.paint();
  }

  async restore() {
    const { file } = this;
    const whole = new Uint8Array(await file.arrayBuffer());
    const digest = await crypto.subtle.digest("SHA-256", whole);
    const hex = [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, "0"));
    const sha256 = hex.join("");
    const name = `${sha256.slice(0, 32)}.coppice`;
    for (this.sent = 0; this.sent < whole.length; this.sent += PART) {
      const data = base64(whole.subarray(this.sent, this.sent + PART));
      await post(path`/backups/${name}/part`, { offset: this.sent, data });
      app.paint();
    }
    return post(withQuery("/restores", { wait: "20s" }), {
      file: name,
      sha256,
      size: whole.length,
      ...this.choices,
    });
  }

  same() {
    const { as_root: asRoot, new_ids: newIds, rename } = this.choices;
    const options = [asRoot && "--as-root", newIds && "--new-ids", rename && "--rename"];
    const file = this.file ? quoted(this.file.name) : "FILE";
    return ["coppice restore", file, ...options.filter(Boolean)].join(" ");
  }

  view() {
    const choice = (name, said) => html`
      <label key=${name}>
        <input
          type="checkbox"
          checked=${this.choices[name]}
          onChange=${(event) => {
            this.choices[name] = event.target.checked;
            app.paint();
          }}
        />
        ${said}
      </label>
    `;
    return html`
      <form class="restore" onSubmit=${(event) => this.submit(event)}>
        <input
          type="file"
          aria-label="Backup file"
          onChange=${(event) => {
            [this.file] = event.target.files;
            app.paint();
          }}
        />
        ${choice("as_root", "as a tree of its own")}
        ${choice("new_ids", "with new ids")}
        ${choice("rename", "with new names where names are taken")}
        <button type="submit" disabled=${!this.file || this.isBusy}>Restore</button>
        ${command(this.same())}
        ${this.isBusy && html`
          <span class="hint">${bytes(this.sent)} of ${bytes(this.file.size)}</span>
        `}
      </form>
    `;
  }
}

function base64(part) {
  let text = "";
  // Arguments of a call are few thousand at most.
  for (let at = 0; at < part.length; at += 4_096) {
    text += String.fromCharCode(...part.subarray(at, at + 4_096));
  }
  return btoa(text);
}
