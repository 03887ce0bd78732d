/**
 * A tree as a list of rows: opened and folded by the server, walked with the keyboard. The cursor
 * belongs to a session and not to a line.
 */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { ago, age, brief, dollars, many } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { openMenu, openMenuOf } from "./menu.js";
import { removed } from "./removal.js";
import { placed, ROW, Rows } from "./rows.js";
import { badge, headline, marks, shown, tally, troubleBelow } from "./state.js";

const OPENED_MAX = 200;
const OPENED_CHARS_MAX = 3_000;

export class TreeList {
  /** `shape` holds what the address holds: levels, opened, closed, text, states, selected. */
  constructor(top, shape, told) {
    this.top = top;
    this.shape = shape;
    this.told = told;
    this.sum = null;
    this.truncated = false;
    this.name = null;
    /** The place of the cursor, when it was last seen, and the place that it is on its way to. */
    this.place = 0;
    this.wanted = null;
    this.rows = new Rows(
      (offset, limit, signal) => this.read({ offset, limit }, signal),
      () => this.arrive(),
    );
    this.fresh = new Fresh(() => this.rows.refresh(), app.paint);
    this.revealing = new AbortController();
    if (shape.selected && shape.selected !== top) this.reveal(sessionOf(shape.selected));
    this.nameIt();
  }

  /** The heading stays when the first row is out of sight. */
  async nameIt() {
    try {
      const { session } = await get(path`/sessions/${this.top}`);
      this.name = session.session_name;
      app.paint();
    } catch {
      // The list says what is wrong.
    }
  }

  async read(more, signal) {
    const { levels, opened, closed, text, states } = this.shape;
    const page = await get(
      path`/sessions/${this.top}/outline`,
      { levels, opened: [...opened], closed: [...closed], text, states: [...states], ...more },
      { signal },
    );
    this.sum = page.tree;
    this.truncated = page.truncated;
    this.number = page.number;
    return page;
  }

  changed() {
    this.fresh.refresh();
  }

  /** Something else is asked for: reads at once, and says so to the page, which has the address. */
  again() {
    this.told();
    this.fresh.restart();
  }

  close() {
    this.revealing.abort();
    this.fresh.close();
    this.rows.close();
  }

  get selected() {
    return this.rows.rowOf(this.shape.selected);
  }

  select(id) {
    this.shape.selected = id;
    this.wanted = null;
    const place = this.rows.placeOf(id);
    if (place !== null) {
      this.place = place;
      this.rows.show(place);
    }
    this.told();
    app.paint();
  }

  /** Rows have come: the one that the cursor waits for may be among them. */
  arrive() {
    const row = this.wanted === null ? null : this.rows.rows.get(this.wanted);
    if (row) this.select(row.id);
    else this.place = this.rows.placeOf(this.shape.selected) ?? this.place;
  }

  /** Opens what is above a session, and shows it. With `next`, the one that comes after it. */
  async reveal(id, next) {
    const { signal } = this.revealing;
    const page = await app.attempt(() => this.read({ reveal: id, next, limit: 100 }, signal));
    if (!page || signal.aborted) return;
    if (page.revealed === null || page.place === null) {
      app.say(page.revealed === null ? (NONE[next] ?? NONE.session) : NONE.filtered);
      return;
    }
    for (const one of page.opened) this.open(one);
    this.shape.selected = page.revealed;
    this.rows.take(page, page.place);
    this.told();
    app.paint();
    this.fresh.refresh();
  }

  open(id) {
    this.shape.closed.delete(id);
    except(this.shape.opened, id);
  }

  toggle(row) {
    if (row.openness === "leaf") return;
    if (row.openness === "open") {
      this.shape.opened.delete(row.id);
      if (row.session) except(this.shape.closed, row.id);
    } else {
      this.open(row.id);
    }
    this.again();
  }

  /** One level more or less; the exceptions are over. */
  deepen(step) {
    this.shape.levels = Math.max(0, Math.min(256, this.shape.levels + step));
    this.shape.opened.clear();
    this.shape.closed.clear();
    this.again();
    app.say(this.shape.levels === 0 ? "Closed" : `Open to ${many(this.shape.levels, "level")}`, {
      millis: 1_500,
    });
  }

  /** The keys of the list; true if one was meant. */
  key(event) {
    const row = this.selected;
    const place = this.rows.placeOf(this.shape.selected);
    const steps = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: this.rows.seen - 3,
      PageUp: 3 - this.rows.seen,
    };
    if (event.key in steps) return this.move(place, steps[event.key]);
    switch (event.key) {
      case "Home":
        return this.move(0, 0);
      case "End":
        return this.move(this.rows.total - 1, 0);
      case "ArrowRight":
        if (row?.openness === "closed") this.toggle(row);
        else this.move(place, 1);
        return true;
      case "ArrowLeft":
        if (row?.openness === "open") this.toggle(row);
        else this.up(place, row);
        return true;
      case "[":
        this.deepen(-1);
        return true;
      case "]":
        this.deepen(1);
        return true;
      case "c":
        location.hash = to("timeline", this.top, { critical: true });
        return true;
      case "f":
        this.reveal(sessionOf(this.shape.selected ?? this.top), "failed");
        return true;
      case "w":
        this.reveal(sessionOf(this.shape.selected ?? this.top), "asking");
        return true;
      case "Enter":
        return this.enter(row);
      case " ":
        if (row) this.toggle(row);
        return true;
      case ".":
        this.act();
        return true;
      default:
        return false;
    }
  }

  move(place, step) {
    if (this.rows.total === 0) return true;
    const from = this.wanted ?? place ?? this.place;
    const wanted = Math.max(0, Math.min(this.rows.total - 1, from + step));
    const row = this.rows.rows.get(wanted);
    if (row) {
      this.select(row.id);
    } else {
      // Far away: the row is selected when it comes.
      this.wanted = wanted;
      this.rows.scrollTo(wanted * ROW);
      this.rows.catchUp();
    }
    return true;
  }

  /** The menu of the selected session, which may be out of sight. */
  act() {
    const row = this.selected;
    if (row?.session) openMenu(row.session, row.tally);
    else if (!row && this.shape.selected) openMenuOf(sessionOf(this.shape.selected));
  }

  /** To the row above in the tree. */
  up(place, row) {
    if (place === null || !row) return;
    for (let at = place - 1; at >= 0; at -= 1) {
      const above = this.rows.rows.get(at);
      if (!above) break;
      if (above.level < row.level) {
        this.select(above.id);
        return;
      }
    }
    if (row.session?.parent_session_id) this.reveal(row.session.parent_session_id);
  }

  enter(row) {
    if (!row) {
      this.enterUnseen();
      return true;
    }
    if (row.session) location.hash = to("session", row.id);
    else this.toggle(row);
    return true;
  }

  /** The row is out of sight, or its session has left. */
  async enterUnseen() {
    const id = sessionOf(this.shape.selected ?? "");
    try {
      await get(path`/sessions/${id}`);
      location.hash = to("session", id);
    } catch {
      app.say("The selected session has left; nothing was opened");
    }
  }

  view(label) {
    if (this.fresh.error?.status === 410) return removed(this.fresh.error);
    if (!this.rows.total && this.fresh.error) {
      return html`<p class="refusal">${this.fresh.error.message} ${this.fresh.error.advice}</p>`;
    }
    return this.rows.view({
      label,
      active: this.selected ? rowId(this.shape.selected) : undefined,
      onKeyDown: (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (!this.key(event)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      view: (row, place) => this.rowView(row, place),
      on: (event, row) => this.heard(event, row),
    });
  }

  heard(event, row) {
    if (event.type === "click" && event.target.closest(".twist")) this.toggle(row);
    else this.select(row.id);
    if (event.type === "dblclick") this.enter(row);
    if (event.type !== "contextmenu" || !row.session) return;
    event.preventDefault();
    openMenu(row.session, row.tally);
  }

  rowView(row, place) {
    const times = [
      row.session && age(row.session),
      row.question && ago(row.question.asked_at),
      ago(row.tally?.asked_first),
    ];
    return rowView(row, place, row.id === this.shape.selected, ...times);
  }
}

const rowId = (id) => `row-${id}`;

/** The session that a row is of; that of a fold is the parent of what is folded. */
const sessionOf = (id) => id.split("/")[0];

const NONE = {
  failed: "Nothing in this tree has failed",
  asking: "Nothing in this tree waits for a person",
  session: "The session of this link is not in this tree",
  filtered: "The filter hides it",
};

/** Rows opened or closed by hand stand in addresses: the oldest exceptions give way. */
function except(all, id) {
  all.add(id);
  while (all.size > OPENED_MAX || [...all].join(",").length > OPENED_CHARS_MAX) {
    all.delete(all.values().next().value);
  }
}

const TWISTS = { open: "▾", closed: "▸", leaf: "" };

/** Scrolling, and a change of other rows, shows the view of a row again. */
const rowView = kept((row, place, isSelected, aged, asked, waits) => html`
  <div
    key=${row.id}
    class="row${isSelected ? " selected" : ""}${row.session ? "" : " fold"}"
    id=${rowId(row.id)}
    role="treeitem"
    aria-level=${row.level + 1}
    aria-setsize=${row.siblings}
    aria-posinset=${row.place}
    aria-expanded=${row.openness === "leaf" ? undefined : String(row.openness === "open")}
    aria-selected=${String(isSelected)}
    data-place=${place}
    style=${placed(place)}
  >
    <span class="name" key="name" style=${{ "--level": String(Math.min(row.level, 24)) }}>
      <span class="twist" aria-hidden="true">${TWISTS[row.openness]}</span>
      ${row.session ? sessionName(row, asked) : foldName(row)}
      ${row.openness === "closed" && row.session && html`
        <span class="sums" key="sums">${sums(row, waits)}</span>
      `}
    </span>
    <span class="cell state-cell" key="state">
      ${row.session && badge(shown(row.session, row.question))}
    </span>
    <span class="cell age" key="age">${aged}</span>
    <span class="cell number" key="tokens">${row.tokens ? brief(row.tokens) : ""}</span>
    <span class="cell number" key="cost">${row.cost_micros ? dollars(row.cost_micros) : ""}</span>
  </div>
`);

function sessionName(row, asked) {
  const { session, question } = row;
  return [
    html`<span class="label" title=${session.path}>${session.session_name}</span>`,
    marks(session),
    question && html`<span class="asks">${question.text} · ${asked}</span>`,
    row.openness === "open" && troubleBelow(row.tally, session.state, question),
    !question && headline(session),
  ];
}

const foldName = (row) => html`
  <span class="label">${row.kind}</span>
  <span class="sums">${tally(row.tally)}</span>
`;

/** A closed row says what is below: how many, the worst of it, and the oldest wait. */
function sums(row, waits) {
  const below = row.tally.all - 1;
  if (below <= 0) return null;
  return [
    html`<span key="below">+${below.toLocaleString("en")}</span>`,
    tally(row.tally),
    waits && html`<span class="hint" key="since">${waits}</span>`,
  ];
}
