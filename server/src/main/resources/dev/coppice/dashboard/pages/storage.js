/** The disk space, the consistency of the store, and the backups. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { download, get, path, withQuery } from "../base/api.js";
import { to } from "../base/address.js";
import { bytes, clock, count } from "../base/format.js";
import { command } from "../parts/copy.js";
import { bars } from "../parts/bars.js";
import { answerPage, heading, table } from "../parts/table.js";
import { RestoreForm } from "../parts/restore.js";

export function open() {
  const state = { checked: null, measured: null, busy: null, form: new RestoreForm() };
  return answerPage({
    title: "Storage",
    path: () => "/removals",
    limit: 500,
    view: (value) => view(value, state),
  });
}

/** Asks for what takes long only when a person wants it. */
async function ask(state, name, address) {
  state.busy = name;
  app.paint();
  state[name] = await app.attempt(() => get(address));
  state.busy = null;
  app.paint();
}

const button = (state, name, address, said) => html`
  <button disabled=${state.busy !== null} onClick=${() => ask(state, name, address)}>
    ${state.busy === name ? "Working…" : said}
  </button>
`;

function view({ removals }, state) {
  const backups = removals.filter((one) => one.backup);
  return html`
    ${heading("Storage", html`<a href=${to("reclaim")}>What ended trees hold</a>`)}
    <h2>Disk space</h2>
    ${app.mayAct && button(state, "measured", "/storage", "Measure now")}
    ${" "}${command("coppice db stats")}
    <div role="status">${space(state.measured)}</div>
    <h2>Consistency</h2>
    ${app.mayAct && button(state, "checked", withQuery("/fsck", { wait: "10s" }), "Check now")}
    ${" "}${command("coppice fsck")}
    <div role="status">${verdict(state.checked)}</div>
    <h2>Backups</h2>
    ${backups.length === 0 && html`
      <p class="hint">A removal writes a backup first. There is none yet.</p>
    `}
    ${backups.length > 0 &&
      table(
        ["Tree", "Written", "Size", ""],
        backups.map((one) => ({
          key: one.removal_id,
          cells: [
            one.session_name,
            clock(one.began_at),
            bytes(one.backup.size),
            html`
              <button
                onClick=${() =>
                  app.attempt(() =>
                    download(
                      path`/removals/${one.removal_id}/backup`,
                      `${one.session_name}.coppice`,
                    ),
                  )}
              >
                Download
              </button>
            `,
          ],
        })),
      )}
    ${app.mayAct && html`<h2>Restore a backup</h2>`}
    ${app.mayAct && state.form.view()}
  `;
}

function space(measured) {
  if (!measured) return null;
  return html`
    <p>
      The database takes ${bytes(measured.bytes)}, of which ${bytes(measured.free_bytes)} are${" "}
      free; backups and preserved work take ${bytes(measured.backup_bytes)}.
    </p>
    <div class="columns">
      ${parts("Tables with their indexes", measured.tables)}
      ${parts("Trees, by events and metadata", measured.trees)}
      ${parts("Types of events, by bodies", measured.events)}
    </div>
  `;
}

function parts(title, all) {
  const rows = all.map((part) => ({
    label: part.session_id
      ? html`<a href=${to("tree", part.session_id)}>${part.name}</a>`
      : part.name.replaceAll("_", " "),
    value: part.bytes,
  }));
  return html`<section key=${title}><h3>${title}</h3>${bars(title, rows, bytes)}</section>`;
}

function verdict(checked) {
  if (!checked) return null;
  if (checked.ok) return html`<p class="finished">✓ Nothing refers to what is gone.</p>`;
  return [
    checked.leftovers.map((one, i) => html`
      <p class="refusal" key=${i}>✗ ${one.what}: ${count(one.count)} (${one.some.join(", ")})</p>
    `),
    checked.not_looked_at.map((host) => html`
      <p class="refusal" key=${host}>No runner answered on ${host}.</p>
    `),
  ];
}
