/**
 * The stream of changes. It says which sessions have changed and never how: pages read again what
 * they show. A hidden page holds no stream; when it is shown again, it asks what it has missed.
 */

import { headers, signedOut, withQuery } from "./api.js";

/** A stream without even a heartbeat for so long is lost. */
const SILENCE_MAX = 12_000;
const RETRY = [250, 500, 1_000, 2_000, 5_000];

export const stream = {
  /** "connecting", "live", "lost" or "paused". */
  state: "connecting",
  /** Since when it is in this state. */
  since: Date.now(),
  /** The number of the newest event that it has told of. */
  number: null,
  /** The clock of the coordinator minus the clock of this browser, in milliseconds. */
  skew: 0,
};

const listeners = new Set();
let tries = 0;
let connection = null;
let watch = null;

/** Calls a function with every change of the sessions or the connection; returns what ends that. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(change) {
  for (const listener of listeners) listener(change);
}

function become(state) {
  if (stream.state !== state) stream.since = Date.now();
  stream.state = state;
  tell({ connection: state, sessions: [], count: 0 });
}

let isOn = false;

export function start() {
  isOn = true;
  follow();
}

export function stop() {
  isOn = false;
  cut();
}

document.addEventListener("visibilitychange", () => (document.hidden ? pause() : follow()));
window.addEventListener("online", () => follow());

function cut() {
  connection?.abort();
  connection = null;
  clearTimeout(watch);
}

function pause() {
  if (!isOn) return;
  cut();
  become("paused");
}

async function follow() {
  if (!isOn || document.hidden) return;
  cut();
  const mine = new AbortController();
  connection = mine;
  try {
    const address = withQuery("/sse/changes", { after: stream.number });
    expectSign();
    const answer = await fetch(address, { headers: headers(), signal: mine.signal });
    if (answer.status === 401) signedOut();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    await read(answer.body.pipeThrough(new TextDecoderStream()).getReader());
  } catch {
    // The reason does not matter: a stream that ends is opened again.
  }
  if (connection !== mine) return;
  become("lost");
  const wait = RETRY[Math.min(tries, RETRY.length - 1)];
  tries += 1;
  clearTimeout(watch);
  watch = setTimeout(follow, wait);
}

/** A connection that says nothing is cut, because a laptop that slept does not notice its end. */
function expectSign() {
  clearTimeout(watch);
  const mine = connection;
  watch = setTimeout(() => mine?.abort(), SILENCE_MAX);
}

async function read(reader) {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    expectSign();
    text += value;
    const frames = text.split("\n\n");
    text = frames.pop();
    for (const frame of frames) take(frame);
  }
}

function take(frame) {
  const data = frame
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5))
    .join("\n");
  if (!data) return;
  const changed = JSON.parse(data);
  const isFirst = stream.state !== "live";
  tries = 0;
  stream.number = changed.number;
  stream.skew = Date.parse(changed.sent_at) - Date.now();
  if (isFirst) become("live");
  tell({ connection: "live", sessions: changed.sessions, count: changed.count });
}
