/** The audit records, and the check that all are there and unchanged. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { download, get } from "../base/api.js";
import { to } from "../base/address.js";
import { clock, many } from "../base/format.js";
import { kept } from "../base/kept.js";
import { command } from "../parts/copy.js";
import { answerPage, heading, table } from "../parts/table.js";

export function open() {
  const state = { verified: null, isBusy: false };
  return answerPage({
    title: "Audit",
    path: () => "/audit",
    limit: 100,
    view: (value) => view(value, state),
  });
}

async function verify(state) {
  state.isBusy = true;
  app.paint();
  state.verified = await app.attempt(() => get("/audit/verify"));
  state.isBusy = false;
  app.paint();
}

function view({ records }, state) {
  return [
    heading(
      "Audit",
      html`
        <button disabled=${state.isBusy} onClick=${() => verify(state)}>Verify the chain</button>
      `,
      html`
        <button onClick=${() => app.attempt(() => download("/audit/export", "audit.jsonl"))}>
          Export
        </button>
      `,
      command("coppice audit verify"),
    ),
    html`<div role="status">${verdict(state.verified)}</div>`,
    table(
      ["No.", "When", "Who", "Act", "Session", "Decision", "Why"],
      records.map((one) => line(one, clock(one.at))),
    ),
  ];
}

const line = kept((one, at) => ({
  key: one.number,
  class: one.decision === "refused" ? "refused" : undefined,
  cells: [
    one.number,
    at,
    `${one.who} (${one.right})`,
    one.act,
    one.session_id && html`
      <a href=${to("session", one.session_id)}>${one.session_name ?? one.session_id}</a>
    `,
    one.decision,
    [one.reason, one.detail].filter(Boolean).join(" · "),
  ],
}));

function verdict(verified) {
  if (!verified) return null;
  if (verified.ok) {
    return html`
      <p class="finished">
        ✓ ${many(verified.records, "record")}, complete and unchanged. The newest hash:${" "}
        <code>${verified.head}</code>
      </p>
    `;
  }
  return verified.flaws.map((flaw) => html`
    <p class="refusal" key=${flaw.number}>✗ Record ${flaw.number}: ${flaw.what}</p>
  `);
}
