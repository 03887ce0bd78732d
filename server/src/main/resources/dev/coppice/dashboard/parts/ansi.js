/** Colours of a terminal as elements. Every other sequence is left out, and text stays text. */

import { plain } from "../base/plain.js";

/** Sequences of a terminal: those of a colour end with "m". */
const SEQUENCE =
  /\x1b(?:\[([0-9;:?]{0,64})[ -/]{0,4}([@-~])|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\^_])/g;

/** How text looks at a place of a stream; colours may go on in the next line. */
export const PLAIN = { colour: "", isBold: false, isFaint: false, isUnderlined: false };

/** Adds a line to an element, and returns the look with which the next line begins. */
export function write(element, line, look) {
  // A program that shows its progress writes over its line: what it wrote last counts.
  const text = line.replace(/\r+$/, "");
  let from = 0;
  let now = look;
  for (const found of text.matchAll(SEQUENCE)) {
    part(element, text.slice(from, found.index), now);
    from = found.index + found[0].length;
    if (found[2] === "m") now = changed(now, found[1] ?? "");
  }
  part(element, text.slice(from), now);
  return now;
}

function part(element, text, look) {
  const at = text.lastIndexOf("\r");
  if (at >= 0) element.replaceChildren();
  const said = plain(text.slice(at + 1));
  if (!said) return;
  const classes = [
    look.colour,
    look.isBold && "bold",
    look.isFaint && "faint",
    look.isUnderlined && "under",
  ].filter(Boolean);
  if (classes.length === 0) {
    element.append(said);
    return;
  }
  const span = document.createElement("span");
  span.className = classes.join(" ");
  span.textContent = said;
  element.append(span);
}

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

function changed(look, parameters) {
  const codes = parameters.split(/[;:]/).map(Number);
  let now = look;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at];
    if (code === 0) now = PLAIN;
    else if (code === 1) now = { ...now, isBold: true };
    else if (code === 2) now = { ...now, isFaint: true };
    else if (code === 4) now = { ...now, isUnderlined: true };
    else if (code === 22) now = { ...now, isBold: false, isFaint: false };
    else if (code === 24) now = { ...now, isUnderlined: false };
    else if (code === 39) now = { ...now, colour: "" };
    else if (code >= 30 && code <= 37) now = { ...now, colour: `ink-${NAMES[code - 30]}` };
    else if (code >= 90 && code <= 97) now = { ...now, colour: `ink-${NAMES[code - 90]}` };
    else if (code === 38 || code === 48) {
      const isIndexed = codes[at + 1] === 5;
      if (code === 38 && isIndexed) now = { ...now, colour: indexed(codes[at + 2]) };
      at += isIndexed ? 2 : 4;
    }
  }
  return now;
}

/** The nearest of the eight colours to one of a palette of 256, so that each can be read. */
function indexed(index) {
  if (!(index >= 0 && index < 256)) return "";
  if (index < 16) return `ink-${NAMES[index % 8]}`;
  if (index >= 232) return "";
  const cube = index - 16;
  const bit = (value) => (value >= 3 ? 1 : 0);
  const name = bit(Math.floor(cube / 36)) + 2 * bit(Math.floor(cube / 6) % 6) + 4 * bit(cube % 6);
  return name === 0 || name === 7 ? "" : `ink-${NAMES[name]}`;
}
