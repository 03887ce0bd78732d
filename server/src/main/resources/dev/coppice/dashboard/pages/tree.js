/** One tree: its rows, filters, and the selected session beside them. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { replace, to } from "../base/address.js";
import { count, many } from "../base/format.js";
import { stream } from "../base/stream.js";
import { Digest } from "../parts/digest.js";
import { tally } from "../parts/state.js";
import { TreeList } from "../parts/tree.js";

const list = (query, name) => new Set((query.get(name) ?? "").split(",").filter(Boolean));

/** The filters by state, in the words of the page. */
const FILTERS = [
  ["asking", "waiting", ["asking"]],
  ["failed", "failed", ["failed", "timed_out", "lost"]],
  ["live", "live", ["pending", "running", "idle", "stopping"]],
];

export function open(top, query) {
  const shape = {
    levels: Number(query.get("levels") ?? 2),
    opened: list(query, "open"),
    closed: list(query, "closed"),
    states: list(query, "states"),
    text: query.get("text") ?? "",
    selected: query.get("sel") ?? top,
    /** The number of the newest event when a link to this was made. */
    at: query.get("at"),
  };
  const page = { digest: null };
  const remember = () => {
    replace(addressOf(top, shape));
    if (page.digest?.id !== shape.selected) {
      page.digest?.close();
      page.digest = isSession(shape.selected) ? new Digest(shape.selected) : null;
    }
  };
  const tree = new TreeList(top, shape, remember);
  remember();
  return Object.assign(page, {
    title: () => tree.name ?? "Tree",
    changed: (change) => {
      tree.changed();
      page.digest?.changed(change);
    },
    close: () => {
      tree.close();
      page.digest?.close();
    },
    fresh: tree.fresh,
    key: (event) => tree.key(event),
    link: (id) => addressOf(top, { ...shape, selected: id, at: stream.number }),
    view: () => view(top, tree, page),
  });
}

const isSession = (id) => Boolean(id) && !id.includes("/");

const addressOf = (top, shape) =>
  to("tree", top, {
    sel: shape.selected === top ? "" : shape.selected,
    levels: shape.levels === 2 ? "" : shape.levels,
    open: [...shape.opened].join(","),
    closed: [...shape.closed].join(","),
    states: [...shape.states].join(","),
    text: shape.text,
    at: shape.at,
  });

function view(top, tree, page) {
  return html`
    <div class="split">
      <div class="main">${bar(top, tree)}${tree.view("Sessions of the tree")}${note(tree)}</div>
      ${page.digest && html`
        <aside class="side" aria-label="The selected session">${page.digest.view()}</aside>
      `}
    </div>
  `;
}

function bar(top, tree) {
  const { shape } = tree;
  const filter = (change) => {
    change();
    tree.rows.scrollTo(0);
    tree.again();
  };
  return html`
    <div class="bar-of-tools" role="toolbar" aria-label="Filters">
      <h1 class="label">${tree.name ?? "…"}</h1>
      ${tree.sum && html`<span class="sums">${tally(tree.sum)}</span>`}
      <span class="grow" />
      ${FILTERS.map(([key, said, states]) => {
        const isOn = states.some((state) => shape.states.has(state));
        return html`
          <button
            key=${key}
            class="toggle${isOn ? " on" : ""}"
            aria-pressed=${String(isOn)}
            onClick=${() =>
              filter(() =>
                states.forEach((state) =>
                  isOn ? shape.states.delete(state) : shape.states.add(state),
                ),
              )}
          >
            ${said}
          </button>
        `;
      })}
      <input
        type="search"
        class="filter"
        aria-label="Filter by name"
        placeholder="Filter by name"
        value=${shape.text}
        onInput=${(event) => filter(() => (shape.text = event.target.value))}
        onKeyDown=${(event) => event.stopPropagation()}
      />
      <button onClick=${() => tree.deepen(-1)} title="One level less ([)">−</button>
      <button onClick=${() => tree.deepen(1)} title="One level more (])">+</button>
      <a href=${to("timeline", top)}>Timeline</a>
      <a href=${to("waves", "", { within: top })}>Waves</a>
      ${app.mayAct && html`<button onClick=${() => tree.act()}>Actions (.)</button>`}
    </div>
  `;
}

const since = (tree) => count(Math.max(0, (tree.number ?? 0) - Number(tree.shape.at)));

const note = (tree) => html`
  <p class="hint foot">
    ${isEmpty(tree)
      ? ["Nothing meets the filter. ", html`
        <button onClick=${() => unfilter(tree)}>Clear it</button>
      `]
      : many(tree.rows.total, "row")}
    ${tree.shape.at && ` · this link was made at event ${tree.shape.at}, ${since(tree)} events ago`}
    ${tree.truncated ? "; the tree is larger than an outline, open it at a session below" : ""}
    ${tree.shape.selected && !tree.selected && !tree.rows.loading
      ? " · the selected session is out of sight or has left"
      : ""}
  </p>
`;

const isEmpty = (tree) => tree.rows.total === 0 && (tree.shape.text || tree.shape.states.size > 0);

function unfilter(tree) {
  tree.shape.text = "";
  tree.shape.states.clear();
  tree.again();
}
