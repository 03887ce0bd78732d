/**
 * The stream of changes. It says which sessions have changed and never how: pages read again what
 * they show. A hidden page holds no stream; when it is shown again, it asks what it has missed.
 *
 * Browsers open six connections to a coordinator, so the windows of one browser share a stream: the
 * window that holds the lock reads it and passes it on.
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
window.addEventListener("online", () => isReader && follow());

function cut() {
  connection?.abort();
  connection = null;
  isReader = false;
  clearTimeout(watch);
}

function pause() {
  if (!isOn) return;
  cut();
  become("paused");
}

/** Windows without locks, such as those of a page without a secure origin, read for themselves. */
const windows = navigator.locks ? new BroadcastChannel("coppice.changes") : null;
const LOCK = "coppice.changes";
let isReader = false;

async function follow() {
  if (!isOn || document.hidden) return;
  cut();
  const mine = new AbortController();
  connection = mine;
  if (!windows) return lead(mine);
  windows.postMessage({ isNew: true });
  expectSign(mine);
  const options = { signal: mine.signal };
  return navigator.locks.request(LOCK, options, () => lead(mine)).catch(() => {});
}

/** Reads the stream, again and again, until this window is hidden or signs out. */
async function lead(mine) {
  isReader = true;
  while (connection === mine) {
    const trial = new AbortController();
    const end = () => trial.abort();
    mine.signal.addEventListener("abort", end);
    await connect(trial).catch(() => {});
    mine.signal.removeEventListener("abort", end);
    if (connection !== mine) return;
    pass({ isLost: true });
    become("lost");
    const wait = RETRY[Math.min(tries, RETRY.length - 1)];
    tries += 1;
    await new Promise((done) => {
      clearTimeout(watch);
      watch = setTimeout(done, wait);
      mine.signal.addEventListener("abort", done, { once: true });
    });
  }
}

/** The reason why a stream ends does not matter: it is opened again. */
async function connect(trial) {
  const address = withQuery("/sse/changes", { after: stream.number });
  expectSign(trial);
  const answer = await fetch(address, { headers: headers(), signal: trial.signal });
  if (answer.status === 401) signedOut();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  await read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), trial);
}

const pass = (message) => windows?.postMessage({ ...message, number: stream.number });

if (windows) windows.onmessage = ({ data }) => take(data);

/** Takes what the window that reads the stream has passed on. */
function take(data) {
  if (data.isNew) {
    if (isReader) pass(stream.state === "live" ? { beat: true } : { isLost: true });
    return;
  }
  if (isReader || !connection) return;
  if (data.isLost) {
    clearTimeout(watch);
    become("lost");
    return;
  }
  expectSign(connection);
  if (data.frame) changed(data.frame);
  else if (stream.state !== "live") changed({ number: data.number, sessions: null, count: null });
}

/** A connection that says nothing is cut, because a laptop that slept does not notice its end. */
function expectSign(trial) {
  clearTimeout(watch);
  watch = setTimeout(() => (isReader ? trial.abort() : become("lost")), SILENCE_MAX);
}

async function read(reader, trial) {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    expectSign(trial);
    text += value;
    const frames = text.split("\n\n");
    text = frames.pop();
    for (const frame of frames) {
      const change = parsed(frame);
      pass(change ? { frame: change } : { beat: true });
      if (change) changed(change);
    }
  }
}

function parsed(frame) {
  const data = frame
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5))
    .join("\n");
  return data ? JSON.parse(data) : null;
}

/** The first change after a connection stands for all that may have been missed. */
function changed(change) {
  const isFirst = stream.state !== "live";
  tries = 0;
  stream.number = change.number;
  if (change.sent_at) stream.skew = Date.parse(change.sent_at) - Date.now();
  if (isFirst) become("live");
  tell({
    connection: "live",
    sessions: isFirst ? null : change.sessions,
    count: change.count,
    isFirst,
  });
}
