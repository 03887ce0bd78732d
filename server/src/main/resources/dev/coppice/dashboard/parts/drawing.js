/** Draws the lanes of a chart that are in sight. */

import { length, now } from "../base/format.js";
import { plain } from "../base/plain.js";
import { hasFailed, isLive } from "./state.js";

export const LANE = 20;
export const AXIS = 24;
const TICK_PIXELS = 110;
const STEPS = [1, 2, 5, 10, 15, 30].flatMap((step) => [step * 1_000, step * 60_000]);
const TICKS = [100, 250, 500, ...STEPS, 3_600_000, 7_200_000, 21_600_000, 86_400_000].sort(
  (a, b) => a - b,
);
const WEEK = 7 * 86_400_000;
const ARROWS_MAX = 400;

export class Drawing {
  constructor(chart, pen, found) {
    this.chart = chart;
    this.pen = pen;
    this.colours = found;
  }

  all(width, height, scrolled) {
    this.pen.font = `12px ${this.colours.font}`;
    this.pen.textBaseline = "middle";
    this.pen.clearRect(0, 0, width, height);
    const first = Math.floor(scrolled / LANE);
    const last = Math.min(this.chart.lanes.length, first + Math.ceil(height / LANE) + 1);
    const y = (place) => AXIS + place * LANE - scrolled;
    this.grid(height);
    for (let place = first; place < last; place += 1) this.lane(place, y(place));
    this.arrows(first, last, y);
    this.path(y);
    this.axis(width);
  }

  ticks() {
    const wanted = ((this.chart.to - this.chart.from) / this.chart.width) * TICK_PIXELS;
    const step = TICKS.find((tick) => tick >= wanted) ?? Math.ceil(wanted / WEEK) * WEEK;
    const ticks = [];
    for (let at = Math.ceil(this.chart.from / step) * step; at < this.chart.to; at += step)
      ticks.push(at);
    return { ticks, step };
  }

  grid(height) {
    this.pen.strokeStyle = this.colours.line;
    this.pen.lineWidth = 1;
    this.pen.beginPath();
    for (const at of this.ticks().ticks) {
      const x = Math.round(this.chart.x(at)) + 0.5;
      this.pen.moveTo(x, AXIS);
      this.pen.lineTo(x, height);
    }
    this.pen.stroke();
  }

  axis(width) {
    this.pen.fillStyle = this.colours.raised;
    this.pen.fillRect(0, 0, width, AXIS);
    this.pen.fillStyle = this.colours.soft;
    const { ticks, step } = this.ticks();
    for (const at of ticks) {
      const x = this.chart.x(at);
      if (x < this.chart.labels - 4) continue;
      this.pen.fillText(tickText(at, step), x + 3, AXIS / 2);
    }
    this.pen.fillText(length(this.chart.to - this.chart.from), 8, AXIS / 2);
  }

  lane(place, y) {
    const { span, level } = this.chart.lanes[place];
    const isSelected = span.session_id === this.chart.selected;
    if (isSelected) {
      this.pen.fillStyle = this.colours.chosen;
      this.pen.fillRect(0, y, this.chart.labels + this.chart.width + 8, LANE);
    }
    const colour = this.colourOf(span.state);
    const end = span.to ?? now();
    this.bar(span.from, end, y + LANE / 2 - 1, 2, this.colours.quiet);
    for (const run of span.runs) {
      this.bar(run.from, run.to ?? now(), y + 4, LANE - 8, this.colourOf(run.state));
    }
    if (span.to === null && isLive(span.state)) this.mark("▸", end, y, colour);
    else if (hasFailed(span.state)) this.mark("✗", end, y, colour);
    this.outside(span.from, end, y);
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(0, y, this.chart.labels - 6, LANE);
    this.pen.clip();
    this.pen.fillStyle = this.colours.text;
    this.pen.fillText(plain(span.session_name), 8 + Math.min(level, 12) * 8, y + LANE / 2);
    this.pen.restore();
  }

  bar(from, to, y, height, colour) {
    const left = Math.max(this.chart.labels, this.chart.x(from));
    const right = Math.min(this.chart.labels + this.chart.width, this.chart.x(to));
    if (right < this.chart.labels || left > this.chart.labels + this.chart.width) return;
    this.pen.fillStyle = colour;
    this.pen.fillRect(left, y, Math.max(2, right - left), height);
  }

  /** A lane whose session worked before or after the time in sight is not empty. */
  outside(from, to, y) {
    this.pen.fillStyle = this.colours.soft;
    const right = this.chart.labels + this.chart.width;
    if (to < this.chart.from) this.pen.fillText("◂", this.chart.labels, y + LANE / 2);
    if (from > this.chart.to) this.pen.fillText("▸", right - 8, y + LANE / 2);
  }

  mark(sign, at, y, colour) {
    const x = this.chart.x(at);
    if (x < this.chart.labels || x > this.chart.labels + this.chart.width) return;
    this.pen.fillStyle = colour;
    this.pen.fillText(sign, x + 2, y + LANE / 2);
  }

  /** Arrows from parents to the children that they started, and back from those that woke them. */
  arrows(first, last, y) {
    let left = ARROWS_MAX;
    this.pen.lineWidth = 1;
    for (let place = first; place < last && left > 0; place += 1) {
      const { span } = this.chart.lanes[place];
      const parent = this.chart.placeOf.get(span.parent_session_id);
      if (parent !== undefined) {
        this.arrow(span.from, y(parent), span.from, y(place), this.colours.soft, []);
        left -= 1;
      }
      for (const wake of this.chart.wakesOf.get(span.session_id) ?? []) {
        const woken = this.chart.placeOf.get(wake.parent);
        if (woken === undefined) continue;
        this.arrow(wake.from, y(place), wake.to, y(woken), this.colours.accent, [3, 3]);
        left -= 1;
      }
    }
  }

  arrow(fromTime, fromY, toTime, toY, colour, dashes) {
    const x1 = this.chart.x(fromTime);
    const x2 = this.chart.x(toTime);
    const isLeft = Math.max(x1, x2) < this.chart.labels;
    if (isLeft || Math.min(x1, x2) > this.chart.labels + this.chart.width) return;
    const down = toY > fromY ? 1 : -1;
    const top = fromY + LANE / 2 + down * 6;
    const tip = toY + LANE / 2 - down * 6;
    this.pen.strokeStyle = colour;
    this.pen.fillStyle = colour;
    this.pen.setLineDash(dashes);
    this.pen.beginPath();
    this.pen.moveTo(Math.max(this.chart.labels, x1), top);
    this.pen.lineTo(Math.max(this.chart.labels, x2), tip);
    this.pen.stroke();
    this.pen.setLineDash([]);
    this.pen.beginPath();
    this.pen.moveTo(x2, tip + down * 3);
    this.pen.lineTo(x2 - 3, tip - down * 2);
    this.pen.lineTo(x2 + 3, tip - down * 2);
    this.pen.fill();
  }

  /** The critical path as one line through the lanes. */
  path(y) {
    if (this.chart.critical.length === 0) return;
    this.pen.strokeStyle = this.colours.asking;
    this.pen.lineWidth = 3;
    this.pen.beginPath();
    let before = null;
    for (const piece of this.chart.critical) {
      const place = this.chart.placeOf.get(piece.id);
      if (place === undefined) continue;
      const at = y(place) + LANE - 2;
      const x1 = Math.max(this.chart.labels, this.chart.x(piece.from));
      const x2 = Math.max(this.chart.labels, this.chart.x(piece.to));
      if (before === null) this.pen.moveTo(x1, at);
      else this.pen.lineTo(x1, at);
      this.pen.lineTo(x2, at);
      before = place;
    }
    this.pen.stroke();
    this.pen.lineWidth = 1;
  }

  colourOf(state) {
    if (hasFailed(state)) return this.colours.failed;
    if (state === "finished") return this.colours.finished;
    if (state === "stopped" || state === "stopping") return this.colours.stopped;
    return state === "running" ? this.colours.running : this.colours.quiet;
  }
}

const NAMES = [
  "line",
  "raised",
  "soft",
  "text",
  "chosen",
  "quiet",
  "accent",
  "asking",
  "failed",
  "finished",
  "stopped",
  "running",
];

const dark = matchMedia("(prefers-color-scheme: dark)");
let known = { theme: null, found: null };

/** The colours of the style sheet: a canvas resolves no variables. Asked for once a theme. */
export function colours(element) {
  const theme = `${document.documentElement.dataset.theme} ${dark.matches}`;
  if (known.theme !== theme) known = { theme, found: ask(element) };
  return known.found;
}

function ask(element) {
  const probe = element.ownerDocument.createElement("span");
  element.append(probe);
  const found = { font: getComputedStyle(element).fontFamily };
  for (const name of NAMES) {
    probe.style.setProperty("color", `var(--${name})`);
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

function tickText(at, step) {
  const date = new Date(at);
  if (step >= 86_400_000) return date.toLocaleDateString([], { month: "short", day: "numeric" });
  const time = date.toLocaleTimeString([], { hour12: false });
  if (step < 1_000) return `${time}.${String(date.getMilliseconds()).padStart(3, "0")}`;
  return step < 60_000 ? time : time.slice(0, 5);
}
