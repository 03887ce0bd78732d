/** Amounts and times as people read them. */

import { stream } from "./stream.js";

const UNITS = [
  [86_400_000, "d", 3_600_000, "h"],
  [3_600_000, "h", 60_000, "m"],
  [60_000, "m", 1_000, "s"],
];

/** A length of time: 850 ms, 12s, 3m 5s, 2h 10m. */
export function length(millis) {
  if (!Number.isFinite(millis)) return "";
  const ms = Math.max(0, millis);
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  for (const [size, unit, smaller, smallUnit] of UNITS) {
    if (ms < size) continue;
    const rest = Math.floor((ms % size) / smaller);
    return `${Math.floor(ms / size)}${unit}${rest ? ` ${rest}${smallUnit}` : ""}`;
  }
  return `${Math.floor(ms / 1_000)}s`;
}

/** A time by the clock of the coordinator. */
export const now = () => Date.now() + stream.skew;

/** The time since something happened. */
export const ago = (time) => (time ? length(now() - Date.parse(time)) : "");

/** The duration of a session, until now if it is live. */
export function age(session) {
  const from = Date.parse(session.started_at ?? session.created_at);
  const to = session.ended_at ? Date.parse(session.ended_at) : now();
  return length(to - from);
}

const HOURS = new Intl.DateTimeFormat([], { timeStyle: "medium", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat([], { month: "short", day: "numeric" });

export function clock(time) {
  if (!time) return "";
  const date = new Date(time);
  // Programs may report any text as a time.
  if (Number.isNaN(date.getTime())) return String(time);
  const isToday = new Date(now()).toDateString() === date.toDateString();
  return isToday ? HOURS.format(date) : `${DAY.format(date)} ${HOURS.format(date)}`;
}

const SCALES = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** A number in three or four characters: 950, 12k, 1.2M. */
export function brief(number) {
  for (const [size, unit] of SCALES) {
    if (number < size) continue;
    const value = number / size;
    return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
  }
  return String(Math.round(number ?? 0));
}

export const count = (number) => (number ?? 0).toLocaleString("en");

export function dollars(micros) {
  const value = (micros ?? 0) / 1e6;
  return `$${value > 0 && value < 0.01 ? value.toFixed(6).replace(/0+$/, "") : value.toFixed(2)}`;
}

export function bytes(number) {
  if (number === null || number === undefined) return "";
  if (number < 1024) return `${number} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = number;
  let unit = -1;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export const many = (number, one, more = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : more}`;
