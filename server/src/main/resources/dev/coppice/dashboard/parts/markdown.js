/**
 * Markdown of agents as views. Only what this file makes becomes an element: markup in a text stays
 * text, pictures are links, and a link leads only to the web. A text is read in one pass over its
 * lines, so a long or a hostile one costs no more than its length.
 */

import { html } from "../base/dom.js";

const DEPTH_MAX = 4;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6}) +(.*)$/;
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;
const ITEM = /^( {0,9})([-*+]|\d{1,9}[.)]) +(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const ROW = /^ {0,3}\|.*\| *$/;
const DASHES = /^ {0,3}\|[-:| ]+\| *$/;

/** The views of a text. */
export const markdown = (text) => blocks(text.split("\n"), 0);

function blocks(lines, depth) {
  const views = [];
  let words = [];
  const flush = () => {
    if (words.length) views.push(html`<p>${broken(words)}</p>`);
    words = [];
  };
  for (let at = 0; at < lines.length; ) {
    const block = depth < DEPTH_MAX && lines[at].trim() ? begun(lines, at, depth) : null;
    if (block) {
      flush();
      views.push(block.view);
      at = block.next;
    } else {
      if (lines[at].trim()) words.push(lines[at].trim());
      else flush();
      at += 1;
    }
  }
  flush();
  return views;
}

/** The block that begins at a line, and the line after it; null if it is a paragraph. */
function begun(lines, at, depth) {
  const line = lines[at];
  const fence = FENCE.exec(line);
  if (fence) return code(lines, at, fence[1]);
  const heading = HEADING.exec(line);
  if (heading) {
    const view = html`<p class="heading h${heading[1].length}">${inline(heading[2])}</p>`;
    return { view, next: at + 1 };
  }
  if (RULE.test(line)) return { view: html`<hr />`, next: at + 1 };
  if (QUOTE.test(line)) return quote(lines, at, depth);
  if (ITEM.test(line)) return list(lines, at, depth);
  if (ROW.test(line) && DASHES.test(lines[at + 1] ?? "")) return rows(lines, at);
  return null;
}

function code(lines, at, mark) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trimStart().startsWith(mark)) end += 1;
  const text = lines.slice(at + 1, end).join("\n");
  return { view: html`<pre class="text" tabindex="0">${text}</pre>`, next: end + 1 };
}

function quote(lines, at, depth) {
  let end = at;
  const within = [];
  while (end < lines.length && QUOTE.test(lines[end])) {
    within.push(QUOTE.exec(lines[end])[1]);
    end += 1;
  }
  return { view: html`<blockquote>${blocks(within, depth + 1)}</blockquote>`, next: end };
}

/** A list ends at a line that is neither an item nor further in than its items. */
function list(lines, at, depth) {
  const first = ITEM.exec(lines[at]);
  const isNumbered = /\d/.test(first[2]);
  const items = [];
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]);
    const isOwn = item && item[1].length <= first[1].length + 1;
    if (isOwn && /\d/.test(item[2]) !== isNumbered) break;
    if (isOwn) items.push([item[3]]);
    else if (/^ {2,}\S/.test(lines[end])) items.at(-1).push(lines[end].replace(/^ {2,4}/, ""));
    else if (lines[end].trim() || !ITEM.test(lines[end + 1] ?? "")) break;
    end += 1;
  }
  const entries = items.map((item) => html`<li>${tight(blocks(item, depth + 1))}</li>`);
  const start = Number.parseInt(first[2], 10);
  const view = isNumbered
    ? html`<ol start=${String(start)}>${entries}</ol>`
    : html`<ul>${entries}</ul>`;
  return { view, next: end };
}

/** An item of one paragraph needs no paragraph. */
const tight = (views) =>
  views.length > 0 && views[0].tag === "p" && !views[0].properties.class
    ? [...views[0].children, ...views.slice(1)]
    : views;

const cells = (line) => line.trim().slice(1, -1).split("|");

function rows(lines, at) {
  let end = at + 2;
  while (end < lines.length && ROW.test(lines[end])) end += 1;
  const view = html`
    <div class="wide-table">
      <table>
        <thead>
          <tr>${cells(lines[at]).map((cell) => html`<th>${inline(cell.trim())}</th>`)}</tr>
        </thead>
        <tbody>
          ${lines.slice(at + 2, end).map((line) => html`
            <tr>${cells(line).map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>
          `)}
        </tbody>
      </table>
    </div>
  `;
  return { view, next: end };
}

/** The lines of a paragraph, of which each is a line: agents write so for terminals. */
const broken = (lines) =>
  lines.flatMap((line, i) => (i === 0 ? inline(line) : [html`<br />`, ...inline(line)]));

/** Marks in a line: code, links, strong, emphasis and addresses. None contains another. */
const MARKS = new RegExp(
  [
    /(`[^`\n]{1,2000}`)/,
    /!?\[([^\][\n]{1,500})\]\(([^)\s]{1,2000})\)/,
    /\*\*([^*\n]{1,2000})\*\*/,
    /(?<![\w*])\*([^*\s][^*\n]{0,2000})\*(?![\w*])/,
    /(https?:\/\/[^\s<>"'`)\]]{1,2000})/,
  ]
    .map((one) => one.source)
    .join("|"),
  "g",
);

function inline(text) {
  const views = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, code, name, target, strong, emphasis, address] = found;
    views.push(text.slice(from, found.index));
    from = found.index + whole.length;
    if (code) views.push(html`<code>${code.slice(1, -1)}</code>`);
    else if (strong) views.push(html`<strong>${strong}</strong>`);
    else if (emphasis) views.push(html`<em>${emphasis}</em>`);
    else views.push(link(name ?? address, target ?? address, whole));
  }
  views.push(text.slice(from));
  return views.filter((view) => view !== "");
}

/** A link of an agent: it opens elsewhere, says where it leads, and tells nothing of this page. */
function link(name, target, whole) {
  if (!/^https?:\/\//i.test(target)) return whole;
  return html`
    <a href=${target} title=${target} target="_blank" rel="noopener noreferrer nofollow">${name}</a>
  `;
}
