/** Calls to the coordinator, with the token of this browser. */

const TOKEN = "coppice.token";

/** A request that was refused or did not arrive. `advice` says what to do. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.error ?? problem.title ?? "The request failed");
    this.status = status;
    this.code = problem.code ?? "unreachable";
    this.advice = problem.advice ?? "";
    this.cause = problem.cause ?? null;
    this.removal = problem.detail?.removal_id ?? null;
  }
}

/**
 * The token is kept in the storage of this origin and sent in a header. A cookie would go to every
 * port of this machine, and other programs listen there.
 */
export const token = {
  get: () => localStorage.getItem(TOKEN),
  set: (value) => localStorage.setItem(TOKEN, value),
  clear: () => localStorage.removeItem(TOKEN),
};

/** A request without an answer for so long has failed: a laptop that slept does not notice it. */
const PATIENCE = 60_000;

let onSignedOut = () => {};

/** Tells the page that the token is not valid any more. */
export const signedOut = () => onSignedOut();

/** Tells what to do when the token is not valid any more. */
export function whenSignedOut(action) {
  onSignedOut = action;
}

export const get = (path, query, options) =>
  call("GET", withQuery(path, query), undefined, options);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path) => call("DELETE", path);

/** Adds parameters to a path; absent ones are left out, lists are joined. */
export function withQuery(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isAbsent = value === undefined || value === null || value === "";
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (!isAbsent && !isEmpty) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

/** A path with encoded parts: path`/sessions/${id}`. */
export function path(texts, ...parts) {
  return texts.reduce((all, text, i) => all + encoded(parts[i - 1]) + text);
}

/** Browsers resolve a part that is only dots, even if the dots are encoded. */
function encoded(part) {
  const text = encodeURIComponent(String(part));
  return /^\.{1,2}$/.test(text) ? `${text}%20` : text;
}

export function headers(more = {}) {
  const sent = token.get();
  return sent ? { ...more, Authorization: `Bearer ${sent}` } : more;
}

async function call(method, address, body, options = {}) {
  // On the paths of the originals, only this asks for refusals in our manner.
  const sent = { Accept: "application/json, application/problem+json" };
  if (body !== undefined) sent["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers: headers(sent),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(PATIENCE)].filter(Boolean)),
    });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused(0, {
      error: "The coordinator does not answer",
      advice: "The page connects again by itself.",
    });
  }
  if (answer.status === 401) onSignedOut();
  const text = await answer.text();
  const value = text ? parsed(text) : null;
  if (!answer.ok) throw new Refused(answer.status, value ?? {});
  return value;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Downloads a file under the name that it has on the server. */
export async function download(address, name) {
  const answer = await fetch(address, { headers: headers() });
  if (!answer.ok) throw new Refused(answer.status, parsed(await answer.text()) ?? {});
  save(await answer.blob(), name);
}

/** Saves a file that the page has made or read. */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
