/**
 * A session as a conversation: what it was told, said and did, its questions and children, each in
 * its place. Uses of tools are folded. The newest turns are live; earlier ones are added above.
 */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path } from "../base/api.js";
import { to } from "../base/address.js";
import { brief, clock, dollars, length } from "../base/format.js";
import { Fresh } from "../base/fresh.js";
import { kept } from "../base/kept.js";
import { copy } from "./copy.js";
import { markdown } from "./markdown.js";
import { questionOf } from "./question.js";
import { badge, headline } from "./state.js";
import { waiting } from "./table.js";

const TURNS = 50;
const LIVE_MAX = 200;
const NEAR_END = 80;

/** So many pages without a turn are passed over at once. */
const EMPTY_MAX = 20;

/** Of a longer prompt, the beginning is shown. */
const PROMPT_LINES = 10;

/** A run of more uses of tools than this is folded into one line. */
const TOOLS_SHOWN = 3;

export class Conversation {
  constructor(session) {
    this.session = session;
    this.earlier = [];
    this.previous = null;
    /** The newest turns are those after this event; null for the latest of them. */
    this.anchor = null;
    this.open = new Set();
    this.busy = {};
    this.isNew = true;
    this.last = null;
    this.toggle = (id) => {
      if (!this.open.delete(id)) this.open.add(id);
      app.paint();
    };
    this.fresh = new Fresh((signal) => this.read(signal), app.paint);
  }

  read(signal) {
    const query =
      this.anchor === null ? { limit: TURNS } : { after: this.anchor, limit: LIVE_MAX };
    return get(path`/sessions/${this.session}/turns`, query, { signal });
  }

  /** Adds the turns before the first one, which stays where it is on the screen. */
  async older() {
    const isFirst = this.anchor === null;
    const before = isFirst ? this.fresh.value.previous : this.previous;
    const page = await app.once(this.busy, () => this.before(before));
    if (!page) return;
    this.earlier = [...page.turns, ...this.earlier];
    this.previous = page.previous;
    if (isFirst) {
      this.anchor = before - 1;
      // What has left the newest turns meanwhile comes back.
      this.fresh.refresh();
    }
    const height = document.documentElement.scrollHeight;
    app.paint();
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        window.scrollBy(0, document.documentElement.scrollHeight - height),
      ),
    );
  }

  /** The turns before an event; goes on over pages of events in which nothing was said. */
  async before(event) {
    let page = { turns: [], previous: event };
    for (let i = 0; i < EMPTY_MAX && page.turns.length === 0 && page.previous !== null; i += 1) {
      const query = { before: page.previous, limit: TURNS };
      page = await get(path`/sessions/${this.session}/turns`, query);
    }
    return page;
  }

  newest() {
    this.earlier = [];
    this.previous = null;
    this.anchor = null;
    this.fresh.restart();
  }

  changed(change) {
    if (change.sessions === null || change.sessions.includes(this.session)) this.fresh.refresh();
  }

  close() {
    this.fresh.close();
  }

  view(question) {
    const { value } = this.fresh;
    if (!value) return waiting(this.fresh);
    const turns = [...this.earlier, ...value.turns];
    const isAtEnd = this.isNew || isScrolledToEnd();
    this.isNew = false;
    const isMore = (this.anchor === null ? value.previous : this.previous) !== null;
    // An open question is shown with its form, at the end.
    const shown = turns.filter((turn) => !question || turn.event !== question.event_id);
    return html`
      <ol class="turns" key="turns" update=${() => isAtEnd && this.follow(shown.at(-1))}>
        ${isMore && html`
          <li class="gap" key="older"><button onClick=${() => this.older()}>Earlier</button></li>
        `}
        ${grouped(shown).map((group) => this.group(group))}
        ${question && html`<li key="question" class="turn">${questionOf(question)}</li>`}
        ${value.next && html`
          <li class="gap" key="newer">
            <button class="news" onClick=${() => this.newest()}>To the newest</button>
          </li>
        `}
      </ol>
      ${shown.length === 0 && !question && !isMore && html`
        <p class="hint" key="none">Nothing has been said yet.</p>
      `}
    `;
  }

  /** Whoever looks at the end sees what comes next. */
  follow(last) {
    if (last === this.last) return;
    this.last = last;
    requestAnimationFrame(() => window.scrollTo(0, document.documentElement.scrollHeight));
  }

  group(group) {
    if (!group.tools) return turnOf(group, this.open.has(group.id), this.toggle);
    const id = `tools-${group.tools[0].id}`;
    const isOpen = this.open.has(id);
    const hidden = isOpen ? [] : group.tools.slice(0, -1);
    const shown = isOpen ? group.tools : group.tools.slice(-1);
    return [
      html`
        <li key=${id} class="turn does folded">
          <button class="event" aria-expanded=${String(isOpen)} onClick=${() => this.toggle(id)}>
            <span class="said">
              ${isOpen ? `fold ${tools(group.tools)}` : tools(hidden)}
            </span>
            ${cost(sum(hidden))}
          </button>
        </li>
      `,
      ...shown.map((turn) => turnOf(turn, this.open.has(turn.id), this.toggle)),
    ];
  }
}

function isScrolledToEnd() {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight - clientHeight - window.scrollY < NEAR_END;
}

const sum = (turns) => ({
  tokens: turns.reduce((all, turn) => all + turn.tokens, 0),
  cost_micros: turns.reduce((all, turn) => all + turn.cost_micros, 0),
});

/** Uses of tools one after another, of which none failed, as a group if there are many. */
function grouped(turns) {
  const all = [];
  let run = [];
  const flush = () => {
    if (run.length > TOOLS_SHOWN) all.push({ tools: run });
    else all.push(...run);
    run = [];
  };
  for (const turn of turns) {
    if (turn.kind === "does" && !turn.returned?.failed) {
      run.push(turn);
    } else {
      flush();
      all.push(turn);
    }
  }
  flush();
  return all;
}

/** The number of uses of each tool: "Bash ×12, edits ×3". */
function tools(turns) {
  const counts = new Map();
  for (const { name } of turns) counts.set(name ?? "tool", (counts.get(name ?? "tool") ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${name} ×${n}`)).join(", ");
}

const cost = ({ tokens, cost_micros: micros }) =>
  tokens > 0 && html`
    <span class="margin" title="${brief(tokens)} tokens">
      ${micros ? dollars(micros) : brief(tokens)}
    </span>
  `;

const WHO = {
  told: "Told",
  says: "Agent",
  asks: "Asks",
  answered: "Answer",
  result: "Result",
  failed: "Failed",
  stopped: "Stopped",
};

const turnOf = kept((turn, isOpen, toggle) => {
  if (turn.kind === "child") return childOf(turn);
  if (turn.kind === "does") return useOf(turn, isOpen, toggle);
  if (turn.kind === "note") {
    return html`
      <li key=${turn.id} class="turn note">
        <time datetime=${turn.at}>${clock(turn.at)}</time> ${turn.text}
      </li>
    `;
  }
  return html`
    <li key=${turn.id} class="turn ${turn.kind}">
      <p class="who">
        <span>${WHO[turn.kind] ?? turn.kind}</span>
        <time datetime=${turn.at}>${clock(turn.at)}</time>
        ${cost(turn)}
      </p>
      ${wordsOf(turn, isOpen, toggle)}
      ${turn.cut && html`<p class="hint">It is longer: see its event.</p>`}
    </li>
  `;
});

/** What programs and people wrote is shown as it is; what agents wrote is Markdown. */
function wordsOf(turn, isOpen, toggle) {
  if (turn.kind === "failed") return failure(turn);
  if (turn.kind !== "told") return html`<div class="words">${markdown(turn.text)}</div>`;
  const lines = turn.text.split("\n");
  const isLong = lines.length > PROMPT_LINES;
  const shown = isLong && !isOpen ? lines.slice(0, PROMPT_LINES).join("\n") : turn.text;
  return html`
    <div class="words plain">${shown}</div>
    ${isLong && html`
      <button class="quiet" aria-expanded=${String(isOpen)} onClick=${() => toggle(turn.id)}>
        ${isOpen ? "less" : `all ${lines.length} lines`}
      </button>
    `}
  `;
}

const failure = (turn) => html`<pre class="text why" tabindex="0">${turn.text}</pre>`;

function useOf(turn, isOpen, toggle) {
  const { returned } = turn;
  return html`
    <li key=${turn.id} class="turn does${returned?.failed ? " failed" : ""}">
      <button class="event" aria-expanded=${String(isOpen)} onClick=${() => toggle(turn.id)}>
        <span class="said">${turn.text}</span>
        <span class="hint">
          ${returned ? (returned.failed ? "failed · " : "") + length(returned.took_ms) : "…"}
        </span>
        ${cost(turn)}
      </button>
      ${isOpen && html`
        <div class="raw">
          ${turn.input && html`<pre class="text" tabindex="0">${turn.input}</pre>`}
          ${returned?.text && html`
            <button class="quiet" onClick=${() => copy(returned.text)}>copy</button>
            <pre class="text" tabindex="0">${returned.text}</pre>
            ${returned.cut && html`<p class="hint">It is longer: see its event.</p>`}
          `}
        </div>
      `}
    </li>
  `;
}

const childOf = ({ id, child, at }) => html`
  <li key=${id} class="turn card">
    ${badge(child.headline?.kind === "asks" ? "asking" : child.state)}${" "}
    <a href=${to("session", child.session_id)}>${child.session_name}</a>
    <span class="said">${headline(child)}</span>
    <time datetime=${at} class="hint">${clock(at)}</time>
  </li>
`;
