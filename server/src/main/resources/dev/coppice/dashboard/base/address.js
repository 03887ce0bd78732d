/**
 * The address of what is shown: #/page/argument?name=value. It holds everything that a link must
 * hold, and nothing secret. A change by the page itself replaces the address, unless it leads
 * elsewhere.
 */

export function read() {
  const [way, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", ...rest] = way.split("/").map(decode);
  return { page: page || "now", argument: rest.join("/"), query: new URLSearchParams(query) };
}

export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a page as a link. */
export function to(page, argument = "", query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isAbsent = value === undefined || value === null || value === "" || value.length === 0;
    if (!isAbsent) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  const way = argument ? `${page}/${encodeURIComponent(argument)}` : page;
  return `#/${way}${text ? `?${text}` : ""}`;
}

export function go(address) {
  location.hash = address;
}

const SETTLED = 200;
let settling = null;

/**
 * Changes the address of what is shown already, once it has settled: browsers refuse to change it
 * in every frame. If the person has gone elsewhere meanwhile, it stays.
 */
export function replace(address) {
  const shown = location.hash;
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (location.hash === shown && shown !== address) history.replaceState(null, "", address);
  }, SETTLED);
}
