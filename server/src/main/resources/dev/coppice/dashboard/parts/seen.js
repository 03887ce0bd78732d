/** The failures and questions that this person has looked at. */

import { app } from "../base/app.js";

const SEEN = "coppice.seen";
const SEEN_MAX = 2_000;

const seen = new Set(JSON.parse(localStorage.getItem(SEEN) ?? "[]"));

/** A session that fails again, or asks again, has not been seen. */
const keyOf = (one) => (one.event_id ? `?${one.event_id}` : `${one.session_id}@${one.ended_at}`);

export const isSeen = (one) => seen.has(keyOf(one));

export function see(...all) {
  const before = seen.size;
  for (const one of all) seen.add(keyOf(one));
  if (seen.size === before) return;
  localStorage.setItem(SEEN, JSON.stringify([...seen].slice(-SEEN_MAX)));
  app.paint();
}
