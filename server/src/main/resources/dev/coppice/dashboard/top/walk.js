/**
 * Walks the items of any page with the keys of the tree. The focus is the cursor: it belongs to an
 * element that is kept for its session, and leaves with it.
 */

const ITEMS = "tbody tr, .cards > li, .children > li, .events > li";
const WAITING = ".lane.asks > .cards > li";
const FAILED = ".lane.failed > .cards > li";
const FOCUSABLE = "a[href], button:not(:disabled), input, summary";

/** Walks if the key is one of those that walk; true if it was. */
export function walk(event) {
  switch (event.key) {
    case "j":
      return step(ITEMS, 1);
    case "k":
      return step(ITEMS, -1);
    case "w":
      return step(WAITING, 1);
    case "f":
      return step(FAILED, 1);
    case ".":
      return act();
    default:
      return false;
  }
}

const here = () => document.activeElement?.closest(ITEMS) ?? null;

/** Focuses the next item, or the one before; from elsewhere the first, or the last. */
function step(selector, by) {
  const items = [...document.querySelectorAll(`main :is(${selector})`)].filter((item) =>
    item.querySelector(FOCUSABLE),
  );
  if (items.length === 0) return false;
  const at = items.indexOf(here());
  const next = at < 0 && by < 0 ? items.length - 1 : at + by;
  const item = items[Math.max(0, Math.min(next, items.length - 1))];
  item.querySelector(FOCUSABLE).focus();
  return true;
}

function act() {
  const actions = here()?.querySelector("button[aria-label^='Actions on']");
  actions?.click();
  return Boolean(actions);
}
