/**
 * A long list of rows of which the page holds a window. The server counts and pages; rows are of
 * one height, so any place can be scrolled to before its rows are there. Rows never move under the
 * eye: when others appear above, the scroll position moves with them.
 */

import { html, render } from "../base/dom.js";
import { shared } from "../base/kept.js";

export const ROW = 28;

/** The style of the row at a place. */
export const placed = (place) => ({ top: `${place * ROW}px` });

const MORE = 40;
const WINDOW_MAX = 200;

/** Rows are read before they come in sight. */
const NEAR = 15;

/** As many as are in sight at once on the largest screen; style/tree.css bounds the height. */
const SEEN_MAX = 145;

export class Rows {
  /** `load(offset, limit, signal)` returns { offset, total, rows }; `taken` is told of rows. */
  constructor(load, taken) {
    this.load = load;
    this.taken = taken;
    this.page = null;
    this.rows = new Map();
    this.total = 0;
    this.top = 0;
    this.height = 600;
    this.element = null;
    this.spacer = null;
    this.loading = null;
    this.direction = 1;
  }

  /** The first and last row in sight. */
  get first() {
    return Math.max(0, Math.floor(this.top / ROW));
  }

  get seen() {
    return Math.min(SEEN_MAX, Math.ceil(this.height / ROW) + 1);
  }

  /** Reads what is in sight, and a little more, and forgets the rest. */
  refresh() {
    return this.readAt(Math.max(0, this.first - MORE), this.seen + 2 * MORE);
  }

  /** Reads the way that the person scrolls. */
  readAhead() {
    const end = this.first + this.seen + MORE;
    const from = this.direction < 0 ? end - WINDOW_MAX : this.first - MORE;
    return this.readAt(Math.max(0, from), WINDOW_MAX);
  }

  async readAt(offset, rows) {
    this.loading?.abort();
    const mine = new AbortController();
    this.loading = mine;
    try {
      const page = await this.load(offset, Math.min(WINDOW_MAX, rows), mine.signal);
      if (this.loading !== mine) return null;
      this.loading = null;
      this.take(page);
      return page;
    } catch (problem) {
      if (this.loading !== mine) return null;
      this.loading = null;
      throw problem;
    }
  }

  /** Takes a page, and keeps the topmost known row in sight where it is. */
  take(page, place = null) {
    const anchor = this.rows.get(this.first) ?? this.rows.get(this.first + 1);
    const before = anchor ? this.placeOf(anchor.id) : null;
    this.page = shared(this.page, page);
    this.rows = new Map(this.page.rows.map((row, i) => [page.offset + i, row]));
    this.total = page.total;
    if (place !== null) {
      this.show(place);
      this.taken();
      return;
    }
    const after = anchor ? this.placeOf(anchor.id) : null;
    const hasMoved = before !== null && after !== null && before !== after;
    if (hasMoved) this.scrollTo(this.top + (after - before) * ROW);
    this.taken();
  }

  placeOf(id) {
    for (const [place, row] of this.rows) if (row.id === id) return place;
    return null;
  }

  rowOf(id) {
    for (const row of this.rows.values()) if (row.id === id) return row;
    return null;
  }

  /** Scrolls as little as needed for a row to be in sight. */
  show(place) {
    const from = place * ROW;
    if (from < this.top) this.scrollTo(from - 2 * ROW);
    else if (from + ROW > this.top + this.height) this.scrollTo(from + 3 * ROW - this.height);
  }

  scrollTo(top) {
    this.top = Math.max(0, top);
    if (!this.element) return;
    this.size();
    this.element.scrollTop = this.top;
  }

  /** The spacer must be high enough before the list can be scrolled. */
  size() {
    const height = `${this.total * ROW}px`;
    if (this.spacer && this.spacer.style.height !== height) this.spacer.style.height = height;
  }

  scrolled(element) {
    this.direction = element.scrollTop < this.top ? -1 : 1;
    this.top = element.scrollTop;
    this.catchUp();
    this.draw();
  }

  /** True if rows in sight, or soon in sight, have not been read. */
  get isBehind() {
    const last = Math.min(this.total - 1, this.first + this.seen + NEAR);
    return (
      this.total > 0 && !(this.rows.has(Math.max(0, this.first - NEAR)) && this.rows.has(last))
    );
  }

  /** Reads one page after the other until it has caught up with the scrolling. */
  async catchUp() {
    if (this.isCatchingUp) return;
    this.isCatchingUp = true;
    try {
      while (this.isBehind) {
        const page = await this.readAhead();
        // Another reading took its place, and paints what it brings.
        if (page === null) break;
        this.draw();
      }
    } catch {
      // The next reading says what is wrong.
    }
    this.isCatchingUp = false;
  }

  /** Paints the rows in the next frame. */
  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paint();
    });
  }

  /**
   * The list: `view(row, place)` returns the view of a row, which has the class `row` and the place
   * as `data-place`, and `on(event, row)` is told of clicks. Its rows are painted apart from the
   * page, because scrolling changes nothing else.
   */
  view({ label, active, role = "tree", onKeyDown, view, on }) {
    const heard = (event) => {
      const element = event.target.closest(".row");
      const row = this.rows.get(Number(element?.dataset.place));
      if (row) on(event, row);
    };
    this.viewOf = view;
    return html`
      <div
        class="rows"
        key=${this}
        role=${role}
        tabindex="0"
        aria-label=${label}
        aria-activedescendant=${active}
        onKeyDown=${onKeyDown}
        onScroll=${(event) => this.scrolled(event.currentTarget)}
        onClick=${heard}
        onDblClick=${heard}
        onContextMenu=${heard}
        mount=${(element) => this.mount(element)}
        update=${() => this.paint()}
      />
    `;
  }

  mount(element) {
    this.element = element;
    this.spacer = document.createElement("div");
    this.spacer.className = "spacer";
    this.spacer.setAttribute("role", "presentation");
    element.append(this.spacer);
    this.size();
    element.scrollTop = this.top;
    const observer = new ResizeObserver(() => {
      this.height = element.clientHeight;
      this.scrolled(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }

  /** Paints the rows in sight, once a frame. */
  paint() {
    const frame = document.timeline.currentTime;
    if (!this.spacer || frame === this.painted) return;
    this.painted = frame;
    this.size();
    const to = Math.min(this.total, this.first + this.seen);
    const shown = [];
    for (let place = this.first; place < to; place += 1) {
      const row = this.rows.get(place);
      shown.push(row ? this.viewOf(row, place) : unread(place));
    }
    render(this.spacer, shown);
  }

  close() {
    this.loading?.abort();
    this.loading = null;
  }
}

/** In place of a row that has not been read. */
const unread = (place) => html`
  <div class="row" key=${place} data-place=${place} style=${placed(place)}>…</div>
`;
