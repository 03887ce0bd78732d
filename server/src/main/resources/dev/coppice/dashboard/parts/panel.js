/** Panels below a list, for actions on a session: no dialogue, no other page. */

import { html } from "../base/dom.js";
import { app } from "../base/app.js";
import { get, path, post } from "../base/api.js";
import { many } from "../base/format.js";
import { quoted, same } from "./copy.js";
import { removalPanel } from "./removal.js";

app.open = (panel) => {
  app.panel?.close?.();
  app.panel = panel;
  app.paint();
};

app.closePanel = () => {
  if (!app.panel) return;
  app.panel.close?.();
  app.panel = null;
  const list = document.querySelector(".rows, .lanes") ?? document.getElementById("main");
  list?.focus();
  app.paint();
};

const VIEWS = {
  removal: removalPanel,
  message: messagePanel,
  stop: stopPanel,
  attach: attachPanel,
};

export function panel() {
  const shown = app.panel;
  if (!shown) return null;
  return html`
    <section
      class="panel ${shown.kind}"
      key="panel"
      tabindex="-1"
      update=${(element) => focusOnce(shown, element)}
      aria-label="${shown.kind} of ${shown.session.session_name}"
    >
      <button class="quiet close" aria-label="Close" onClick=${() => app.closePanel()}>✕</button>
      ${VIEWS[shown.kind](shown)}
    </section>
  `;
}

/** Focuses the first field to type in; else the panel, so that its keys are the next ones. */
function focusOnce(shown, element) {
  if (shown.isFocused || !element.isConnected) return;
  shown.isFocused = true;
  (element.querySelector("textarea, input:not([type=radio])") ?? element).focus();
}

function messagePanel(shown) {
  const name = shown.session.session_name;
  const send = async (event) => {
    event.preventDefault();
    const sent = await app.once(shown, () =>
      post(path`/sessions/${shown.session.session_id}/messages`, {
        text: shown.text,
        when_busy: shown.whenBusy ?? "steer",
      }),
    );
    if (!sent) return;
    app.closePanel();
    app.say(`Sent to ${name}`);
  };
  return html`
    <h2>A message to ${name}</h2>
    <form onSubmit=${send}>
      <textarea
        rows="3"
        aria-label="Message"
        value=${shown.text ?? ""}
        required
        onInput=${(event) => (shown.text = event.target.value)}
      />
      <label>
        If it is busy:${" "}
        <select
          value=${shown.whenBusy ?? "steer"}
          onChange=${(event) => {
            shown.whenBusy = event.target.value;
            app.paint();
          }}
        >
          <option value="steer">within its turn, if its program can</option>
          <option value="queue">after its run</option>
          <option value="interrupt">interrupt it</option>
        </select>
      </label>
      <button type="submit">Send</button>
    </form>
    ${same(`coppice send ${quoted(name)} TEXT --when-busy ${shown.whenBusy ?? "steer"}`)}
  `;
}

function stopPanel(shown) {
  const { session, tally } = shown;
  const number = tally?.live ?? 1;
  const stop = async () => {
    const stopped = await app.once(shown, () =>
      post(path`/sessions/${session.session_id}/stop`, {
        scope: "tree",
        reason: "stopped on the page",
      }),
    );
    if (!stopped) return;
    app.closePanel();
    app.say(`${session.session_name} is being stopped, children before parents`);
  };
  return html`
    <h2>Stop ${session.session_name}?</h2>
    <p>
      ${many(number, "live session")} would end, children before parents. Stopped sessions can${" "}
      be resumed.
    </p>
    <button class="danger" onClick=${stop}>Stop ${many(number, "session")}</button>
    <button onClick=${() => app.closePanel()}>Cancel</button>
    ${same(`coppice stop ${quoted(session.session_name)} --tree`)}
  `;
}

/** For a detached tree or an orphan: it gets a parent, by its name. */
function attachPanel(shown) {
  const { session } = shown;
  const attach = async (event) => {
    event.preventDefault();
    const attached = await app.once(shown, async () => {
      const parent = await get(path`/sessions/by-name/${shown.parent.trim()}`);
      return post(path`/sessions/${session.session_id}/attach`, {
        parent_session_id: parent.session.session_id,
      });
    });
    if (!attached) return;
    app.closePanel();
    app.say(`${session.session_name} is now ${attached.session.path}`);
  };
  return html`
    <h2>Place ${session.session_name} and all below it under a parent</h2>
    <form onSubmit=${attach}>
      <input
        aria-label="Name of the parent"
        placeholder="Name of the parent"
        autocomplete="off"
        required
        value=${shown.parent ?? ""}
        onInput=${(event) => (shown.parent = event.target.value)}
      />
      <button type="submit">Place it there</button>
    </form>
    ${same(`coppice attach ${quoted(session.session_name)} PARENT`)}
  `;
}
