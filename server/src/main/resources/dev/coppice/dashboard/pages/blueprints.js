/** Blueprints: the programs that sessions start from, and an editor for them. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, patch, path, post, remove } from "../base/api.js";
import { go, to } from "../base/address.js";
import { Fresh } from "../base/fresh.js";
import { command, quoted } from "../parts/copy.js";
import { answerPage, heading, table, waiting } from "../parts/table.js";

/** A server that is told which session calls it, so that what it starts can be placed below. */
const SERVER = {
  type: "http",
  url: "http://127.0.0.1:9501/mcp",
  headers: { "X-Agent-Session-Name": "${AGENT_SESSION_NAME}" },
};

const STARTS = {
  program: { name: "", description: "", command: ["bash", "-eo", "pipefail"] },
  "Claude Code": {
    name: "",
    description: "",
    kind: "claude-code",
    allowed_tools: ["mcp__coppice"],
  },
  Codex: { name: "", description: "", kind: "codex" },
  "ACP agent": { name: "", description: "", kind: "acp", command: [] },
};

const NEW = "+";

export const open = (argument) => (argument ? edit(argument) : list());

const list = () =>
  answerPage({
    title: "Blueprints",
    path: () => "/agents",
    view: (documents) => [
      heading(
        "Blueprints",
        app.mayAct && html`<a href=${to("blueprints", NEW)} class="button">New blueprint</a>`,
      ),
      table(
        ["Name", "Kind", "What it is for", "Tags", "Status", ""],
        documents.map((one) => ({
          key: one.name,
          cells: [
            html`<a href=${to("blueprints", one.name)}>${one.name}</a>`,
            one.kind ?? one.type ?? "command",
            one.description ?? "",
            (one.tags ?? []).join(", "),
            one.resolution_error
              ? html`<span class="failed">✗ ${one.resolution_error}</span>`
              : (one.status ?? "active"),
            command(`coppice start NAME --agent ${quoted(one.name)} -p PROMPT`),
          ],
        })),
      ),
    ],
    refreshes: false,
  });

function edit(name) {
  const isNew = name === NEW;
  const state = {
    name,
    isNew,
    text: isNew ? written(STARTS.program) : "",
    before: "",
    refusal: null,
    /** The coordinator's verdict on the text as it is now. */
    verdict: null,
    isBusy: false,
  };
  const fresh = new Fresh(
    (signal) =>
      isNew ? Promise.resolve({}) : get(path`/agents/${name}`, { raw: true }, { signal }),
    () => {
      if (fresh.value && !isNew && state.text === state.before) {
        state.text = written(fresh.value);
        state.before = state.text;
      }
      app.paint();
    },
  );
  return {
    title: () => (isNew ? "New blueprint" : name),
    changed: () => {},
    close: () => fresh.close(),
    fresh,
    view: () => (fresh.value ? editor(state, fresh) : waiting(fresh)),
  };
}

const written = (document) => JSON.stringify(document, null, 2);

/** The document that was typed, or what is wrong with it. */
function read(text) {
  try {
    const document = JSON.parse(text);
    const isObject = document && typeof document === "object" && !Array.isArray(document);
    return isObject ? { document } : { fault: "A blueprint is a JSON object." };
  } catch (problem) {
    return { fault: problem.message };
  }
}

async function save(state, fresh) {
  const { document, fault } = read(state.text);
  state.refusal = fault ? { message: fault, advice: "Nothing was saved." } : null;
  if (fault) return;
  state.isBusy = true;
  // The person may go elsewhere meanwhile.
  const shown = location.hash;
  app.paint();
  try {
    if (state.isNew) {
      await post("/agents", document);
      app.say(`${document.name} is saved`);
      if (location.hash === shown) go(to("blueprints", document.name));
    } else {
      await patch(path`/agents/${state.name}`, changes(JSON.parse(state.before), document));
      state.before = state.text;
      app.say(`${state.name} is saved`);
      fresh.refresh();
    }
  } catch (problem) {
    state.refusal = problem;
  }
  state.isBusy = false;
  app.paint();
}

const TYPING = 400;

/** Asks the coordinator what is wrong with what was typed, once the typing pauses. */
function check(state) {
  clearTimeout(state.checking);
  state.verdict = null;
  const { document, fault } = read(state.text);
  if (fault || !app.mayAct) return;
  state.checking = setTimeout(async () => {
    const { text } = state;
    const verdict = await post("/blueprint-checks", document).then(
      () => ({ isGood: true }),
      (refusal) => ({ refusal }),
    );
    if (text !== state.text) return;
    state.verdict = verdict;
    app.paint();
  }, TYPING);
}

/** The changed fields; a field that was taken out becomes null. */
function changes(before, after) {
  const changed = {};
  for (const [name, value] of Object.entries(after)) {
    if (JSON.stringify(before[name]) !== JSON.stringify(value)) changed[name] = value;
  }
  for (const name of Object.keys(before)) if (!(name in after)) changed[name] = null;
  delete changed.name;
  return changed;
}

/** Adds a template to what was typed, if that can be read. */
function offer(state, change) {
  const { document, fault } = read(state.text);
  if (fault) {
    state.refusal = { message: fault, advice: "Mend the text first." };
  } else {
    change(document);
    state.text = written(document);
    state.refusal = null;
    check(state);
  }
  app.paint();
}

function addServer(document) {
  document.mcp_servers = { coppice: {}, ...document.mcp_servers, tools: SERVER };
}

async function setStatus(state, fresh, status) {
  await app.attempt(() => patch(path`/agents/${state.name}/status`, { status }));
  state.before = state.text;
  fresh.refresh();
}

async function drop(state) {
  const gone = await app.attempt(() => remove(path`/agents/${state.name}`).then(() => true));
  if (!gone) return;
  const document = JSON.parse(state.before);
  app.say(`${state.name} is deleted`, { undo: () => app.attempt(() => post("/agents", document)) });
  go(to("blueprints"));
}

function editor(state, fresh) {
  const { fault } = read(state.text);
  const isChanged = state.text !== state.before;
  const isActive = (fresh.value.status ?? "active") !== "inactive";
  return [
    heading(
      state.isNew ? "New blueprint" : state.name,
      fresh.value.resolution_error && html`
        <span class="failed">${fresh.value.resolution_error}</span>
      `,
    ),
    state.isNew && html`<p>Begin with: ${starts(state)}</p>`,
    html`
      <form
        class="editor"
        onSubmit=${(event) => {
          event.preventDefault();
          save(state, fresh);
        }}
      >
        <textarea
          class="code"
          rows="24"
          spellcheck="false"
          aria-label="Blueprint as JSON"
          aria-invalid=${String(Boolean(fault))}
          aria-describedby="fault"
          readonly=${!app.mayAct}
          value=${state.text}
          onInput=${(event) => {
            state.text = event.target.value;
            check(state);
            app.paint();
          }}
        />
        <p class="refusal" id="fault" role="status">
          ${fault ?? complaint(state.refusal ?? state.verdict?.refusal)}
        </p>
        ${state.verdict?.isGood && html`<p class="finished" key="good">✓ It can be saved.</p>`}
        ${app.mayAct && html`
          <div class="buttons">
            <button type="submit" disabled=${!isChanged || state.isBusy || Boolean(fault)}>
              Save
            </button>
            <button type="button" onClick=${() => offer(state, addServer)}>
              Add an MCP server that knows the session
            </button>
            ${!state.isNew && html`
              <button
                type="button"
                onClick=${() => setStatus(state, fresh, isActive ? "inactive" : "active")}
              >
                ${isActive ? "Deactivate" : "Activate"}
              </button>
            `}
            ${!state.isNew && html`
              <button type="button" class="danger" onClick=${() => drop(state)}>Delete</button>
            `}
            ${!state.isNew && command(`coppice blueprints edit ${quoted(state.name)}`)}
          </div>
        `}
      </form>
    `,
  ];
}

const complaint = (refusal) => (refusal ? `${refusal.message} ${refusal.advice ?? ""}` : "");

const starts = (state) =>
  Object.entries(STARTS).map(([name, document]) => html`
    <button
      key=${name}
      type="button"
      onClick=${() => {
        state.text = written(document);
        state.refusal = null;
        app.paint();
      }}
    >
      ${name}
    </button>
  `);
