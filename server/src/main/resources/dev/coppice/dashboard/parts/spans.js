/** The working times of the sessions of a tree, kept up to date, in the order of lanes. */

import { get, path } from "../base/api.js";

/** Changes of this time before the last reading are asked for again: two clocks may differ. */
const OVERLAP = 2_000;

/** A child that ends so long after its parent still held it up. */
const TOLERANCE = 1_000;

export class Spans {
  constructor(top) {
    this.top = top;
    this.byId = new Map();
    this.wakes = new Map();
    this.at = 0;
    this.total = 0;
    this.truncated = false;
    this.lanes = [];
    this.levels = 256;
  }

  /** Reads what has changed; everything, if sessions have left. */
  async read(signal) {
    const since = Math.max(0, this.at - OVERLAP);
    this.take(await this.ask(since, signal));
    const isWhole = this.byId.size === this.total || this.truncated;
    if (since > 0 && !isWhole) {
      // Sessions have left, and no change tells of them.
      const all = await this.ask(0, signal);
      this.byId.clear();
      this.wakes.clear();
      this.take(all);
    }
    this.order();
    return this;
  }

  ask(since, signal) {
    return get(path`/sessions/${this.top}/spans`, { since }, { signal });
  }

  take(answer) {
    for (const span of answer.spans) this.byId.set(span.session_id, span);
    for (const wake of answer.wakes) this.wakes.set(`${wake.child}@${wake.from}`, wake);
    this.at = answer.at;
    this.total = answer.total;
    this.truncated = answer.truncated;
  }

  /** Puts the sessions into lanes, depth first and in the order of birth. */
  order() {
    const children = childrenOf(this.byId.values());
    const top = this.byId.get(this.top);
    this.lanes = [];
    this.placeOf = new Map();
    const open = top ? [top] : [];
    while (open.length > 0) {
      const span = open.pop();
      const level = span.depth - top.depth;
      this.placeOf.set(span.session_id, this.lanes.length);
      this.lanes.push({ span, level });
      const below = level < this.levels ? (children.get(span.session_id) ?? []) : [];
      for (let i = below.length - 1; i >= 0; i -= 1) open.push(below[i]);
    }
    this.wakesOf = Map.groupBy(this.wakes.values(), (wake) => wake.child);
  }
}

export const childrenOf = (spans) => Map.groupBy(spans, (span) => span.parent_session_id);

/**
 * The critical path: what the end of the top waited for, from the end backwards. Before a session
 * ended, the last of its children to end held it up, and so on within that child; what is left is
 * the session's own work. Returns pieces of time, the earliest first.
 */
export function criticalPath(byId, top, now) {
  const children = childrenOf(byId.values());
  const end = (span) => span.to ?? now;
  for (const list of children.values()) list.sort((a, b) => end(b) - end(a));
  const pieces = [];
  const root = byId.get(top);
  if (!root) return pieces;
  const open = [{ span: root, until: end(root) }];
  while (open.length > 0) {
    const { span, until } = open.pop();
    let at = until;
    for (const child of children.get(span.session_id) ?? []) {
      const isHolding = end(child) <= at + TOLERANCE && child.from < at;
      if (!isHolding) continue;
      const childEnd = Math.min(end(child), at);
      if (at > childEnd) pieces.push({ id: span.session_id, from: childEnd, to: at });
      open.push({ span: child, until: childEnd });
      at = Math.max(child.from, span.from);
    }
    if (at > span.from) pieces.push({ id: span.session_id, from: span.from, to: at });
  }
  return pieces.sort((a, b) => a.from - b.from);
}
