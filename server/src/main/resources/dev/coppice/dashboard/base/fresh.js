/**
 * A value of the coordinator that is kept fresh. Changes make it stale; it is read again at most
 * four times a second, and less often if reading takes long. One reading is under way at a time.
 */

import { shared } from "./kept.js";

const PAUSE = 250;
const SLOWNESS = 4;

/** The pauses before it is tried again to read, when the fault is not in the request. */
const RETRIES = [1_000, 2_000, 5_000, 10_000];

export class Fresh {
  /** `read(signal)` asks the coordinator; `told` is called when there is something to paint. */
  constructor(read, told) {
    this.read = read;
    this.told = told;
    this.value = null;
    this.error = null;
    this.at = 0;
    this.reading = null;
    this.stale = false;
    this.next = 0;
    this.tries = 0;
    this.timer = null;
    this.refresh();
  }

  /** Reads again soon. */
  refresh() {
    this.stale = true;
    if (this.reading || this.timer || this.closed) return;
    const wait = Math.max(0, this.next - performance.now());
    this.timer = setTimeout(() => this.run(), wait);
  }

  /** The coordinator is back: waits no longer. */
  hurry() {
    this.next = 0;
    clearTimeout(this.timer);
    this.timer = null;
    this.refresh();
  }

  /** Reads again at once: what is asked for has changed, so a reading under way is worthless. */
  restart() {
    if (this.closed) return null;
    this.reading?.abort();
    this.reading = null;
    clearTimeout(this.timer);
    this.timer = null;
    return this.run();
  }

  async run() {
    this.timer = null;
    this.stale = false;
    const mine = new AbortController();
    this.reading = mine;
    const begun = performance.now();
    try {
      const value = await this.read(mine.signal);
      if (this.reading !== mine) return;
      this.value = shared(this.value, value);
      this.error = null;
      this.at = Date.now();
    } catch (problem) {
      if (this.reading !== mine) return;
      this.error = problem;
    }
    this.reading = null;
    const took = performance.now() - begun;
    this.next = performance.now() + Math.max(PAUSE, took * SLOWNESS);
    this.told();
    this.retry();
  }

  retry() {
    const isTemporary = this.error && !(this.error.status >= 400 && this.error.status < 500);
    if (isTemporary) {
      this.next = performance.now() + RETRIES[Math.min(this.tries, RETRIES.length - 1)];
      this.tries += 1;
    } else {
      this.tries = 0;
    }
    if (this.stale || isTemporary) this.refresh();
  }

  close() {
    this.closed = true;
    this.reading?.abort();
    this.reading = null;
    clearTimeout(this.timer);
  }
}
