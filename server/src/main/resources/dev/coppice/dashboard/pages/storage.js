/** The consistency of the store, and the backups. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { download, get, path, withQuery } from "../base/api.js";
import { bytes, clock, count } from "../base/format.js";
import { command } from "../parts/copy.js";
import { answerPage, heading, table } from "../parts/table.js";
import { RestoreForm } from "../parts/restore.js";

export function open() {
  const state = { checked: null, isBusy: false, form: new RestoreForm() };
  return answerPage({
    title: "Storage",
    path: () => "/removals",
    query: () => ({ limit: 500 }),
    view: (value) => view(value, state),
  });
}

async function check(state) {
  state.isBusy = true;
  app.paint();
  state.checked = await app.attempt(() => get(withQuery("/fsck", { wait: "10s" })));
  state.isBusy = false;
  app.paint();
}

function view({ removals }, state) {
  const backups = removals.filter((one) => one.backup);
  return [
    heading("Storage"),
    h("h2", null, "Consistency"),
    app.mayAct &&
      h(
        "button",
        { disabled: state.isBusy, onClick: () => check(state) },
        state.isBusy ? "Checking…" : "Check now",
      ),
    " ",
    command("coppice fsck"),
    h("div", { role: "status" }, verdict(state.checked)),
    h("h2", null, "Backups"),
    backups.length === 0 &&
      h("p", { class: "hint" }, "A removal writes a backup first. There is none yet."),
    backups.length > 0 &&
      table(
        ["Tree", "Written", "Size", ""],
        backups.map((one) => ({
          key: one.removal_id,
          cells: [
            one.session_name,
            clock(one.began_at),
            bytes(one.backup.size),
            h(
              "button",
              {
                onClick: () =>
                  app.attempt(() =>
                    download(
                      path`/removals/${one.removal_id}/backup`,
                      `${one.session_name}.coppice`,
                    ),
                  ),
              },
              "Download",
            ),
          ],
        })),
      ),
    app.mayAct && h("h2", null, "Restore a backup"),
    app.mayAct && state.form.view(),
  ];
}

function verdict(checked) {
  if (!checked) return null;
  if (checked.ok) return h("p", { class: "finished" }, "✓ Nothing refers to what is gone.");
  return [
    checked.leftovers.map((one, i) =>
      h(
        "p",
        { class: "refusal", key: i },
        `✗ ${one.what}: ${count(one.count)} (${one.some.join(", ")})`,
      ),
    ),
    checked.not_looked_at.map((host) =>
      h("p", { class: "refusal", key: host }, `No runner answered on ${host}.`),
    ),
  ];
}
