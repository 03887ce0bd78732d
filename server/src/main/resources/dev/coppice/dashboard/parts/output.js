/**
 * The output of a session's program, or of all programs of a tree with the names in front: live at
 * its end, searched, with the colours of a terminal. It is read from the runners, which have it.
 */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path, save } from "../base/api.js";
import { many } from "../base/format.js";
import { PLAIN, write } from "./ansi.js";

/** What the page holds: the newest lines. The runner has them all. */
const LINES_MAX = 20_000;
const PART = 256 * 1024;
const LINE_MAX = 10_000;
const DOWNLOAD_MAX = 64 * 1024 * 1024;
const PAUSE = 1_000;
const WAIT = "20s";
const RUNS_MAX = 50;
const TROUBLE = /\b(error|exception|fatal|fail(ed|ure)?|panic(ked)?|traceback)\b/i;

export class Output {
  constructor(session) {
    this.session = session;
    this.run = null;
    /** The runs of the session, once they are read. */
    this.all = null;
    this.isChosen = false;
    this.isTree = false;
    this.isWrapped = true;
    this.isFollowed = true;
    this.words = "";
    this.hits = [];
    this.trouble = [];
    this.notice = "";
    this.said = "";
    this.isWhole = false;
    this.lines = document.createElement("div");
    this.lines.className = "lines";
    this.lines.tabIndex = 0;
    this.lines.addEventListener("scroll", () => this.scrolled());
    this.reading = null;
  }

  /** Begins to read, unless it does. */
  begin() {
    if (this.reading) return;
    const mine = new AbortController();
    this.reading = mine;
    this.readAll(mine.signal);
  }

  /** Reads from the beginning, and again after a pause if that fails or there is no run yet. */
  async readAll(signal) {
    while (!signal.aborted) {
      this.clear();
      try {
        const isOver = await (this.isTree ? this.readTree(signal) : this.readOne(signal));
        if (isOver) return;
      } catch (problem) {
        if (signal.aborted) return;
        this.said = `${problem.message}. ${problem.advice ?? ""}`;
      }
      app.paint();
      await pause(signal);
    }
  }

  clear() {
    this.lines.replaceChildren();
    this.hits = [];
    this.trouble = [];
    this.notice = "";
    this.said ||= "Reading…";
  }

  close() {
    this.reading?.abort();
    this.reading = null;
  }

  again() {
    this.close();
    this.said = "";
    this.begin();
    app.paint();
  }

  async runs(query, signal) {
    const page = await get("/runs", { ...query, limit: RUNS_MAX }, { signal });
    return page.runs;
  }

  async readOne(signal) {
    const all = await this.runs({ session_id: this.session }, signal);
    this.all = all;
    if (all.length === 0) {
      this.said = "It has no run yet, or Coppice does not run it.";
      return false;
    }
    this.said = "Reading…";
    this.run = all.some((run) => run.run_id === this.run) ? this.run : all[0].run_id;
    const source = new Source(this.run, null, this.isWhole);
    while (!signal.aborted) {
      if (await this.take(source, signal, WAIT)) break;
      if (source.isWaiting) await pause(signal);
    }
    if (this.said === "Reading…") this.said = "";
    return true;
  }

  /** Reads one after another: a browser has six connections, and other pages need some. */
  async readTree(signal) {
    const sources = new Map();
    while (!signal.aborted) {
      const runs = await this.runs({ subtree: this.session }, signal);
      for (const run of runs.reverse()) {
        if (!sources.has(run.run_id)) {
          sources.set(run.run_id, new Source(run.run_id, run.session_name, this.isWhole));
        }
      }
      for (const source of sources.values()) {
        if (!source.isOver) await this.take(source, signal, null);
      }
      this.said = sources.size === 0 ? "No program has run yet." : "";
      const isCut = runs.length === RUNS_MAX;
      this.notice = isCut ? `the newest ${RUNS_MAX} runs; 'coppice logs --tree' has all` : "";
      app.paint();
      await pause(signal);
    }
    return true;
  }

  /** Takes what a source has; true if nothing more will come. */
  async take(source, signal, wait) {
    const query = {
      stdout: source.out.next,
      stderr: source.err.next,
      bytes: PART,
      wait: source.isUnderWay && wait ? wait : undefined,
    };
    const view = await get(path`/runs/${source.run}/output`, query, { signal });
    if (signal.aborted) return true;
    if (view.unavailable) {
      if (!this.isTree) this.said = `No output: ${view.unavailable}.`;
      source.isOver = view.ended;
      source.isWaiting = true;
      app.paint();
      return view.ended;
    }
    source.isWaiting = view.state === "queued" || view.state === "hooked";
    if (!source.isUnderWay && (view.stdout.offset > 0 || view.stderr.offset > 0)) {
      this.notice = "the beginning is left out";
    }
    source.isUnderWay = true;
    const isMore = [
      this.add(source, source.out, view.stdout),
      this.add(source, source.err, view.stderr),
    ].some(Boolean);
    source.isOver = view.ended && !isMore;
    if (this.said === "Reading…") this.said = "";
    app.paint();
    return source.isOver;
  }

  add(source, stream, part) {
    stream.next = part.next;
    const all = (stream.begun + part.text).split("\n");
    // What follows a carriage return is written over the line.
    const isOver = all.at(-1).endsWith("\r");
    const lines = all.flatMap(broken);
    stream.begun = lines.pop() + (isOver ? "\r" : "");
    // A line that has no end yet is shown as it is, and written again when there is more of it.
    this.forget(stream.shown);
    stream.shown = null;
    if (lines.length > LINES_MAX) lines.splice(0, lines.length - LINES_MAX);
    const isAtEnd = this.isAtEnd();
    const added = document.createDocumentFragment();
    for (const line of lines) added.append(this.line(source, stream, line));
    if (stream.begun) {
      const look = stream.look;
      stream.shown = this.line(source, stream, stream.begun);
      stream.look = look;
      added.append(stream.shown);
    }
    this.lines.append(added);
    this.shorten();
    if (this.isFollowed && isAtEnd) this.toEnd();
    return part.next < part.size;
  }

  forget(line) {
    if (!line) return;
    line.remove();
    this.trouble = this.trouble.filter((one) => one !== line);
    this.hits = this.hits.filter((one) => one !== line);
  }

  line(source, stream, text) {
    const line = document.createElement("div");
    line.className = stream.isError ? "line err" : "line";
    if (source.name !== null) {
      const name = document.createElement("span");
      name.className = "name";
      name.textContent = `${source.name} │ `;
      line.append(name);
    }
    const words = document.createElement("span");
    stream.look = write(words, text, stream.look);
    line.append(words);
    if (TROUBLE.test(words.textContent)) {
      line.classList.add("trouble-line");
      this.trouble.push(line);
    }
    if (this.words && this.matches(line)) this.hits.push(mark(line));
    return line;
  }

  shorten() {
    let over = this.lines.childElementCount - LINES_MAX;
    if (over <= 0) return;
    this.notice = "the beginning is left out";
    for (; over > 0; over -= 1) this.lines.firstChild.remove();
    this.trouble = this.trouble.filter((line) => line.isConnected);
    this.hits = this.hits.filter((line) => line.isConnected);
  }

  matches(line) {
    return line.textContent.toLowerCase().includes(this.words.toLowerCase());
  }

  search(words) {
    for (const line of this.hits) line.classList.remove("hit", "here");
    this.words = words;
    this.hits = [];
    if (words) {
      for (const line of this.lines.children) if (this.matches(line)) this.hits.push(mark(line));
      if (this.hits.length) this.go(this.hits, this.hits.length - 1);
    }
    app.paint();
  }

  /** Goes to the next of some lines in a direction, from what is seen now. */
  step(lines, by) {
    const shown = lines.filter((line) => line.isConnected);
    if (shown.length === 0) return;
    const at = shown.findIndex((line) => line.classList.contains("here"));
    const next = at < 0 ? (by < 0 ? shown.length - 1 : 0) : (at + by + shown.length) % shown.length;
    this.go(shown, next);
  }

  go(lines, at) {
    this.isFollowed = false;
    for (const line of this.lines.querySelectorAll(".here")) line.classList.remove("here");
    lines[at].classList.add("here");
    lines[at].scrollIntoView({ block: "center" });
    app.paint();
  }

  nextHit(event) {
    this.step(this.hits, event.shiftKey ? 1 : -1);
  }

  isAtEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.lines;
    return scrollHeight - scrollTop - clientHeight < 40;
  }

  toEnd() {
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** Who scrolls up wants to read; who scrolls to the end wants to follow. */
  scrolled() {
    const isFollowed = this.isAtEnd();
    if (isFollowed === this.isFollowed) return;
    this.isFollowed = isFollowed;
    app.paint();
  }

  async download() {
    const texts = [];
    let size = 0;
    const source = new Source(this.run, null, true);
    for (;;) {
      const view = await get(path`/runs/${this.run}/output`, {
        stdout: source.out.next,
        stderr: source.err.next,
        bytes: PART,
      });
      if (view.unavailable) throw new Error(`No output: ${view.unavailable}`);
      source.out.next = view.stdout.next;
      source.err.next = view.stderr.next;
      texts.push(view.stdout.text, view.stderr.text);
      size += view.stdout.text.length + view.stderr.text.length;
      const isMore = view.stdout.next < view.stdout.size || view.stderr.next < view.stderr.size;
      if (!isMore) break;
      if (size > DOWNLOAD_MAX) {
        throw new Error(`More than 64 MB: 'coppice logs' of this session prints it all`);
      }
    }
    save(new Blob(texts, { type: "text/plain" }), `${this.run}.log`);
  }

  /** `runs` are the session's, newest first: a new one is shown unless another was chosen. */
  view(runs) {
    const newest = runs[0]?.run_id;
    const isNew = newest && this.all && !this.all.some((run) => run.run_id === newest);
    if (isNew && !this.isChosen && !this.isTree) {
      this.run = null;
      this.all = null;
      this.said = "";
      this.close();
    }
    this.begin();
    return html`
      <div class="bar-of-tools" key="tools">
        ${this.toggle("follow", this.isFollowed, () => {
          this.isFollowed = !this.isFollowed;
          if (this.isFollowed) this.toEnd();
        })}
        ${this.toggle("wrap", this.isWrapped, () => (this.isWrapped = !this.isWrapped))}
        ${this.toggle("with all below", this.isTree, () => {
          this.isTree = !this.isTree;
          this.again();
        })}
        ${!this.isTree && this.all?.length > 1 && this.choice()}
        <input
          key="search"
          type="search"
          aria-label="Search in the output"
          placeholder="Search"
          value=${this.words}
          onInput=${(event) => this.search(event.target.value)}
          onKeyDown=${(event) => event.key === "Enter" && this.nextHit(event)}
        />
        ${this.words && html`
          <span class="hint" key="hits">${many(this.hits.length, "line")}</span>
        `}
        <button
          key="trouble"
          disabled=${this.trouble.length === 0}
          title="lines that tell of an error, from the last one up"
          onClick=${() => this.step(this.trouble, -1)}
        >
          ${this.trouble.length ? `${many(this.trouble.length, "error")} ↑` : "no errors"}
        </button>
        ${!this.isTree && this.run && html`
          <button key="download" onClick=${() => app.attempt(() => this.download())}>
            Download
          </button>
        `}
      </div>
      ${this.notice && html`
        <p class="hint" key="notice">
          ${this.notice}${" "}
          ${!this.isWhole && !this.isTree && html`
            <button
              class="quiet"
              onClick=${() => {
                this.isWhole = true;
                this.again();
              }}
            >
              from the beginning
            </button>
          `}
        </p>
      `}
      ${this.said && html`<p class="hint" key="said">${this.said}</p>`}
      ${!this.said && this.lines.childElementCount === 0 && html`
        <p class="hint" key="none">Nothing was printed so far.</p>
      `}
      <div
        key="output"
        class="output${this.isWrapped ? " wrapped" : ""}"
        mount=${(element) => {
          element.append(this.lines);
          if (this.isFollowed) this.toEnd();
        }}
      />
    `;
  }

  toggle(name, isOn, act) {
    return html`
      <button
        key=${name}
        class="toggle${isOn ? " on" : ""}"
        aria-pressed=${String(isOn)}
        onClick=${() => {
          act();
          app.paint();
        }}
      >
        ${name}
      </button>
    `;
  }

  choice() {
    return html`
      <select
        key="run"
        aria-label="Run"
        value=${this.run}
        onChange=${(event) => {
          this.run = event.target.value;
          this.isChosen = true;
          this.again();
        }}
      >
        ${this.all.map((run, i) => html`
          <option key=${run.run_id} value=${run.run_id}>
            ${i === 0 ? "last run" : `run ${this.all.length - i}`} · ${run.state}
          </option>
        `)}
      </select>
    `;
  }
}

/** The output of one run, as far as it was read. */
class Source {
  constructor(run, name, isWhole) {
    this.run = run;
    this.name = name;
    this.isUnderWay = isWhole;
    this.isOver = false;
    this.isWaiting = false;
    const from = isWhole ? 0 : -PART;
    this.out = { next: from, begun: "", look: PLAIN, shown: null, isError: false };
    this.err = { next: from, begun: "", look: PLAIN, shown: null, isError: true };
  }
}

/** A line in parts of a bounded length; of what a program wrote over itself, the last. */
function broken(text) {
  const over = text.endsWith("\r") ? text.slice(0, -1) : text;
  const line = over.slice(over.lastIndexOf("\r") + 1);
  if (line.length <= LINE_MAX) return [line];
  const parts = [];
  for (let at = 0; at < line.length; at += LINE_MAX) parts.push(line.slice(at, at + LINE_MAX));
  return parts;
}

function mark(line) {
  line.classList.add("hit");
  return line;
}

const pause = (signal) =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, PAUSE);
    signal.addEventListener("abort", end);
  });
