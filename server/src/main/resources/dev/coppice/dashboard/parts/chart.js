/**
 * Lanes over time, drawn on a canvas: only what is in sight is drawn, so ten thousand lanes cost as
 * much as forty. The time follows the live edge until the person zooms or moves it.
 */

import { app } from "../base/app.js";
import { html } from "../base/dom.js";
import { now } from "../base/format.js";
import { AXIS, colours, Drawing, LANE } from "./drawing.js";
import { openMenuOf } from "./menu.js";
import { hasFailed, isLive } from "./state.js";

const LABELS = 200;
const LABELS_NARROW = 96;
const NARROW = 640;
const EDGE = 0.04;
const WIDTH_MAX = 400 * 86_400_000;

export class Chart {
  /** `told()` paints the page; `opened(id)` opens a session. */
  constructor({ told, opened }) {
    this.told = told;
    this.opened = opened;
    this.lanes = [];
    this.placeOf = new Map();
    this.wakesOf = new Map();
    this.critical = [];
    this.selected = null;
    this.from = 0;
    this.to = 0;
    this.isFollowing = true;
    this.isFitted = false;
    this.element = null;
  }

  /** Takes the lanes; the first time, all of them fit. */
  take(spans) {
    this.lanes = spans.lanes;
    this.placeOf = spans.placeOf;
    this.wakesOf = spans.wakesOf;
    if (!this.isFitted) this.fit();
    this.draw();
  }

  get isLive() {
    return this.lanes.some(({ span }) => isLive(span.state));
  }

  get begin() {
    return this.lanes[0]?.span.from ?? now();
  }

  get end() {
    let end = 0;
    for (const { span } of this.lanes) end = Math.max(end, span.to ?? now());
    return end;
  }

  fit() {
    if (this.lanes.length === 0) return;
    this.isFitted = true;
    this.hasGesture = false;
    const end = this.end;
    const width = Math.max(1_000, end - this.begin);
    this.from = this.begin - width * EDGE;
    this.to = end + width * EDGE;
    this.isFollowing = this.isLive;
    this.draw();
  }

  /** To the live edge, with the same width of time. */
  follow() {
    this.isFollowing = true;
    this.draw();
    this.told();
  }

  /** A gesture of the person lets go of the live edge. */
  letGo() {
    this.isFollowing = false;
    this.hasGesture = true;
    this.isFitted = true;
  }

  /** Shows a time of a link; false if it is none. */
  show(from, to) {
    const isTime = Number.isFinite(from) && to > from && to - from <= WIDTH_MAX && from > 0;
    if (!isTime) return false;
    this.from = from;
    this.to = to;
    this.letGo();
    return true;
  }

  zoom(factor, at = (this.from + this.to) / 2) {
    this.letGo();
    const width = Math.min(Math.max((this.to - this.from) * factor, 20), WIDTH_MAX);
    const share = (at - this.from) / (this.to - this.from);
    this.from = at - width * share;
    this.to = this.from + width;
    this.draw();
    this.told();
  }

  pan(share) {
    this.letGo();
    const step = (this.to - this.from) * share;
    this.from += step;
    this.to += step;
    this.draw();
    this.told();
  }

  select(id) {
    this.selected = id;
    const place = this.placeOf.get(id);
    const box = this.element?.querySelector(".lanes");
    if (box && place !== undefined) {
      const top = place * LANE;
      const height = box.clientHeight - AXIS - LANE;
      if (top < box.scrollTop) box.scrollTop = top;
      if (top > box.scrollTop + height) box.scrollTop = top - height;
    }
    this.draw();
    this.told();
  }

  key(event) {
    const place = this.placeOf.get(this.selected) ?? -1;
    const moves = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
    if (event.key in moves) {
      const next = Math.max(0, Math.min(this.lanes.length - 1, place + moves[event.key]));
      if (this.lanes[next]) this.select(this.lanes[next].span.session_id);
      return true;
    }
    const action = {
      "+": () => this.zoom(1 / 1.5),
      "=": () => this.zoom(1 / 1.5),
      "-": () => this.zoom(1.5),
      ArrowLeft: () => this.pan(-0.2),
      ArrowRight: () => this.pan(0.2),
      0: () => this.fit(),
      l: () => this.follow(),
      f: () => this.next(({ span }) => hasFailed(span.state)),
      ".": () => this.selected && openMenuOf(this.selected),
      Enter: () => this.selected && this.opened(this.selected),
    }[event.key];
    action?.();
    return Boolean(action);
  }

  /** Selects the next lane that fits, from the top again after the last. */
  next(fits) {
    const place = this.placeOf.get(this.selected) ?? -1;
    const order = [...this.lanes.slice(place + 1), ...this.lanes.slice(0, place + 1)];
    const found = order.find(fits);
    if (found) this.select(found.span.session_id);
    else app.say("Nothing here has failed");
  }

  view(label, described) {
    return html`
      <div
        class="chart"
        key=${this}
        mount=${(element) => this.mount(element, label, described)}
        update=${() => this.draw()}
      />
    `;
  }

  mount(element, label, described) {
    this.element = element;
    const box = document.createElement("div");
    box.className = "lanes";
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", label);
    if (described) box.setAttribute("aria-describedby", described);
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.spacer = document.createElement("div");
    box.append(this.canvas, this.spacer);
    element.append(box);
    box.onscroll = () => this.draw();
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.onpointerdown = (event) => this.grab(event);
    this.canvas.onclick = (event) => this.click(event);
    this.canvas.ondblclick = () => this.selected && this.opened(this.selected);
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(box);
    return () => observer.disconnect();
  }

  wheel(event) {
    const isZoom = event.ctrlKey || event.metaKey;
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isZoom && !isPan) return;
    event.preventDefault();
    if (isZoom) this.zoom(1.0015 ** event.deltaY, this.timeAt(event.offsetX));
    else this.pan((event.deltaX || event.deltaY) / Math.max(1, this.width));
  }

  grab(event) {
    if (event.button !== 0) return;
    const begin = { x: event.clientX, from: this.from, to: this.to };
    this.moved = false;
    const move = (now) => {
      const share = (now.clientX - begin.x) / Math.max(1, this.width);
      if (Math.abs(now.clientX - begin.x) < 4 && !this.moved) return;
      this.moved = true;
      this.letGo();
      this.from = begin.from - share * (begin.to - begin.from);
      this.to = begin.to - share * (begin.to - begin.from);
      this.draw();
    };
    const release = () => {
      this.canvas.removeEventListener("pointermove", move);
      this.told();
    };
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", release, { once: true });
  }

  click(event) {
    if (this.moved || event.offsetY < AXIS) return;
    const scroll = this.canvas.parentNode.scrollTop;
    const lane = this.lanes[Math.floor((event.offsetY - AXIS + scroll) / LANE)];
    if (lane) this.select(lane.span.session_id);
  }

  timeAt(x) {
    return this.from + ((x - this.labels) / this.width) * (this.to - this.from);
  }

  x(time) {
    return this.labels + ((time - this.from) / (this.to - this.from)) * this.width;
  }

  /** Draws in the next frame, however often it is asked to. */
  draw() {
    if (this.isDue || !this.element) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.element.isConnected) this.paint();
    });
  }

  paint() {
    const box = this.canvas.parentNode;
    const { clientWidth, clientHeight } = box;
    const scale = devicePixelRatio;
    if (this.canvas.width !== clientWidth * scale || this.canvas.height !== clientHeight * scale) {
      this.canvas.width = clientWidth * scale;
      this.canvas.height = clientHeight * scale;
      this.canvas.style.setProperty("width", `${clientWidth}px`);
      this.canvas.style.setProperty("height", `${clientHeight}px`);
    }
    const extra = Math.max(0, AXIS + this.lanes.length * LANE - clientHeight);
    this.spacer.style.setProperty("height", `${extra}px`);
    this.labels = clientWidth < NARROW ? LABELS_NARROW : LABELS;
    this.width = Math.max(10, clientWidth - this.labels - 8);
    if (this.isFollowing) {
      const width = this.to - this.from;
      this.to = now() + width * EDGE;
      // Until the person zooms, all stays in sight.
      if (this.hasGesture) this.from = this.to - width;
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    new Drawing(this, pen, colours(this.element)).all(clientWidth, clientHeight, box.scrollTop);
  }
}
