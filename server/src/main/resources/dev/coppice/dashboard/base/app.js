/** Shared by every part of the page: painting, messages, and the caller. */

import { to } from "./address.js";
import { stream } from "./stream.js";

export const app = {
  /** The rights of this browser. */
  caller: null,
  /** The last message to the person, and how it may be taken back. */
  message: null,
  /** The address of a session, as it is shown now: a page may know a better one. */
  link: (id) => to("session", id, { at: stream.number + 1 }),
  /** A subtree action that is under way in place: see parts/panel.js. */
  panel: null,
  theme: localStorage.getItem("coppice.theme") ?? "system",

  paint: () => {},

  get mayAct() {
    return this.caller?.role === "operator" || this.caller?.role === "admin";
  },

  /** Says something for a while. */
  say(text, more = {}) {
    this.message = { text, until: performance.now() + (more.millis ?? 6_000), ...more };
    setTimeout(() => this.paint(), (more.millis ?? 6_000) + 50);
    this.paint();
  },

  /** Does something once, however often it is clicked meanwhile; `busy` remembers it. */
  async once(busy, action) {
    if (busy.isBusy) return null;
    busy.isBusy = true;
    try {
      return await this.attempt(action);
    } finally {
      busy.isBusy = false;
    }
  },

  /** Says why something was not done. */
  refused(problem) {
    const advice = problem.advice ? ` ${problem.advice}` : "";
    this.say(`${problem.message}.${advice}`, { tone: "failed", millis: 15_000 });
  },

  /** Does something, and says if it is refused. */
  async attempt(action) {
    try {
      return await action();
    } catch (problem) {
      if (problem.name !== "AbortError") this.refused(problem);
      return null;
    }
  },
};
