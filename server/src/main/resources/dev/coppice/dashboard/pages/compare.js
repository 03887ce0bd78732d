/** Two sessions or trees side by side: where they first differ, what each cost and changed. */

import { h } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { brief, count, dollars, length } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { command } from "../parts/copy.js";
import { badge } from "../parts/state.js";
import { heading, table, tableOf } from "../parts/table.js";

export function open(id, query) {
  const other = query.get("with") ?? "";
  const fresh = other
    ? new Fresh(
        (signal) => get(path`/sessions/${id}/compare`, { with: other }, { signal }),
        app.paint,
      )
    : null;
  const found = { text: "", sessions: [], turn: 0 };
  return {
    title: () => "Compare",
    changed: () => {},
    close: () => fresh?.close(),
    fresh,
    view: () => (fresh ? view(fresh, id, other) : choose(id, found)),
  };
}

/** Finds the other session by a part of its name. */
function choose(id, found) {
  const search = async (text) => {
    found.text = text;
    const turn = ++found.turn;
    const answer = text.trim()
      ? await app.attempt(() => get("/sessions", { text: text.trim(), limit: 20 }))
      : { sessions: [] };
    if (answer && turn === found.turn) found.sessions = answer.sessions;
    app.paint();
  };
  return [
    heading("Compare"),
    h(
      "p",
      { key: "ask" },
      h("input", {
        type: "search",
        "aria-label": "Compare with",
        placeholder: "Name of the other session",
        autocomplete: "off",
        value: found.text,
        onInput: (event) => search(event.target.value),
      }),
    ),
    h(
      "ul",
      { key: "found" },
      found.sessions
        .filter((one) => one.session_id !== id)
        .map((one) =>
          h(
            "li",
            { key: one.session_id },
            h("a", { href: to("compare", id, { with: one.session_id }) }, one.path),
          ),
        ),
    ),
  ];
}

function view(fresh, id, other) {
  const { value, error } = fresh;
  if (error && !value) return h("p", { class: "refusal" }, error.message, ". ", error.advice);
  if (!value) return h("p", { class: "loading" }, "Loading…");
  const { a, b } = value;
  return [
    heading("Compare", h("span", { key: "same" }, command(`coppice diff ${id} ${other}`))),
    table(["", name(a), name(b)], facts(a, b)),
    h(
      "p",
      { key: "said", class: "said" },
      value.same
        ? "Both took the same steps."
        : `They differ from step ${count(value.common_steps + 1)} on.`,
    ),
    !value.same && steps(value),
    changes(a, b),
  ];
}

const name = (side) => side.session_name;

function facts(a, b) {
  const row = (what, of) => ({ key: what, cells: [what, of(a), of(b)] });
  return [
    row("state", (s) => badge(s.state)),
    row("took", (s) => length(s.duration_ms)),
    row("sessions", (s) => count(s.sessions)),
    row("runs", (s) => count(s.runs)),
    row("steps", (s) => count(s.steps) + (s.cut ? " and more" : "")),
    row("tokens", (s) => brief(s.tokens)),
    row("cost", (s) => dollars(s.cost_micros)),
    row("models", (s) => s.models.map((one) => one.model).join(", ")),
    row("files", (s) => count(s.files.length)),
    row("commits", (s) => count(s.commits.length)),
  ];
}

const steps = (value) =>
  tableOf(
    ["Step", name(value.a), name(value.b)],
    value.rows.map((row) =>
      h(
        "tr",
        { key: row.step, class: row.same ? undefined : "differs" },
        h("td", null, `${row.same ? "" : "≠ "}${row.step}`),
        h("td", null, step(row.a)),
        h("td", null, step(row.b)),
      ),
    ),
  );

const step = (one) =>
  one && [
    h(
      "a",
      { key: "at", href: to("session", one.session_id, { at: one.event_id }) },
      `${one.agent} ${one.kind}`,
    ),
    " ",
    h("code", { key: "text" }, one.text),
  ];

function changes(a, b) {
  const only = (one, other) => one.files.filter((file) => !other.files.includes(file));
  return h(
    "div",
    { class: "sides", key: "changes" },
    [
      [a, only(a, b)],
      [b, only(b, a)],
    ].map(([side, files], i) =>
      h(
        "section",
        { key: i, "aria-label": `Changes of ${side.session_name}` },
        h("h2", null, side.session_name),
        files.length > 0 && h("p", null, "Only it wrote"),
        h(
          "ul",
          null,
          files.map((file) => h("li", { key: file }, h("code", null, file))),
        ),
        side.commits.length > 0 && h("p", null, "Commits"),
        h(
          "ul",
          null,
          side.commits.map((one) =>
            h("li", { key: one.commit }, h("code", null, one.commit), " ", one.subject),
          ),
        ),
      ),
    ),
  );
}
