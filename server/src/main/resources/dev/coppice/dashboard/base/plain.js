/** Text as it is written to the screen. */

/**
 * Characters that change how the text around them is read: directions, and controls except line
 * breaks and tabs. A command in a question must look like what would run.
 */
const CONTROLS = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
const DIRECTIONS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const INVISIBLE = "\\u200b\\u2028\\u2029\\u2060-\\u2065\\ufeff";
const DISGUISES = new RegExp(`[${CONTROLS}${DIRECTIONS}${INVISIBLE}]`, "g");

/** A value as text, with such characters as visible codes. */
export function plain(value) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(DISGUISES, code);
}

const code = (character) =>
  `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
