/** Shows alerts, newest first, and who hears of them. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, post } from "../base/api.js";
import { to } from "../base/address.js";
import { clock } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { command } from "../parts/copy.js";
import { badge, hasFailed } from "../parts/state.js";
import { heading, table, waiting } from "../parts/table.js";

const LIMIT = 100;
const WORDS = { over_budget: "over budget", quota_met: "quota met" };

export function open() {
  const busy = {};
  const fresh = new Fresh(read, app.paint);
  return {
    title: () => "Alerts",
    changed: () => fresh.refresh(),
    close: () => fresh.close(),
    fresh,
    view: () => view(fresh, busy),
  };
}

async function read(signal) {
  const [found, rules] = await Promise.all([
    get("/alerts", { limit: LIMIT }, { signal }),
    get("/alerts/rules", {}, { signal }).catch(() => null),
  ]);
  return { alerts: found.alerts, rules };
}

function view(fresh, busy) {
  const { value } = fresh;
  if (!value) return waiting(fresh);
  const { alerts, rules } = value;
  return [
    heading("Alerts", html`<span class="hint">newest first</span>`),
    alerts.length === 0 && html`<p class="empty">Nothing has failed, and nobody waits.</p>`,
    alerts.length > 0 &&
      table(
        ["When", "What", "Session", "Why", "Delivery"],
        alerts.map((one) => line(one, clock(one.raised_at))),
      ),
    rules && whoHears(rules, busy),
  ];
}

const line = kept((one, at) => ({
  key: one.alert_id,
  cells: [
    at,
    hasFailed(one.kind) ? badge(one.kind) : (WORDS[one.kind] ?? one.kind),
    html`<a href=${to("session", one.session_id)}>${one.session_name}</a>`,
    one.reason ?? "",
    one.deliveries.map(delivery).join(", "),
  ],
}));

const delivery = (one) =>
  one.error ? `${one.channel} ${one.state}: ${one.error}` : `${one.channel} ${one.state}`;

function whoHears(rules, busy) {
  return html`
    <h2 key="who">Who hears of them</h2>
    ${rules.fault && html`<p class="refusal" key="fault">The file is not used: ${rules.fault}</p>`}
    ${table(
      ["On", "Below", "To", "In quiet hours"],
      rules.rules.map((rule, i) => ({
        key: i,
        cells: [
          rule.on.map((kind) => WORDS[kind] ?? kind).join(", "),
          rule.below ?? "all",
          rule.to.length ? rule.to.join(", ") : "nobody",
          rule.quiet,
        ],
      })),
    )}
    <p key="about">
      ${rules.quiet_hours && `Quiet hours: ${rules.quiet_hours}. `}
      <span class="hint">The rules are in ${rules.file}. </span>
      ${app.mayAct && html`<button onClick=${() => test(busy)}>Send a test</button>`}
      ${" "}${command("coppice alerts test")}
    </p>
  `;
}

async function test(busy) {
  const tested = await app.once(busy, () => post("/alerts/test", {}));
  if (!tested) return;
  const said = tested.channels.map((one) =>
    one.ok ? `${one.channel} took the test` : `${one.channel} did not: ${one.error}`,
  );
  app.say(said.join("; ") || "No rule names a channel.");
}
