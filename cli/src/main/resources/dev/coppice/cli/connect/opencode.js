// Written by 'coppice connect opencode'; 'coppice connect opencode --undo' takes it out.

const ADDRESS = "@ADDRESS@";
const TOKEN = "@TOKEN@";
const PATIENCE_MILLIS = 1000;

/** Null if Coppice does not answer: OpenCode goes on as it would without this file. */
async function tell(event) {
  try {
    const answer = await fetch(ADDRESS, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${TOKEN}`,
        // The token of the run, if Coppice has started this program.
        "X-Agent-Token": process.env.COPPICE_TOKEN ?? "",
        "X-Agent-Pid": String(process.pid),
      },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

export const Coppice = async ({ directory }) => {
  const parents = new Map();
  const about = (session, name, more = {}) => ({
    hook_event_name: name,
    session_id: session,
    cwd: directory,
    ...(parents.get(session) && { parent_session_id: parents.get(session) }),
    ...more,
  });
  const tool = (input, args) => ({
    tool_name: input.tool,
    tool_use_id: input.callID,
    tool_input: args ?? {},
  });
  const heard = {
    "session.created": ({ info }) => {
      if (info.parentID) parents.set(info.id, info.parentID);
      return about(info.id, "SessionStart", { title: info.title });
    },
    "session.idle": ({ sessionID }) =>
      about(sessionID, parents.has(sessionID) ? "SubagentStop" : "Stop"),
    "session.compacted": ({ sessionID }) => about(sessionID, "PostCompact"),
    "session.error": ({ sessionID, error }) =>
      sessionID && about(sessionID, "StopFailure", { error: error?.name ?? "error" }),
    "session.deleted": ({ info }) => about(info.id, "SessionEnd", { reason: "deleted" }),
    "permission.updated": ({ sessionID, title, type }) =>
      about(sessionID, "Notification", { message: title ?? type }),
    "message.updated": ({ info }) =>
      info.role === "assistant" &&
      info.time?.completed &&
      about(info.sessionID, "ModelUse", {
        message_id: info.id,
        model: info.modelID,
        cost_usd: info.cost,
        usage: {
          input_tokens: info.tokens?.input,
          output_tokens: (info.tokens?.output ?? 0) + (info.tokens?.reasoning ?? 0),
          cache_read_input_tokens: info.tokens?.cache?.read,
          cache_creation_input_tokens: info.tokens?.cache?.write,
        },
      }),
  };
  return {
    event: async ({ event }) => {
      const told = heard[event.type]?.(event.properties);
      if (told) await tell(told);
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      const prompt = parts?.find((part) => part.type === "text")?.text ?? "";
      await tell(about(sessionID, "UserPromptSubmit", { prompt }));
    },
    "tool.execute.before": async (input, output) => {
      const said = await tell(about(input.sessionID, "PreToolUse", tool(input, output.args)));
      if (said?.decision === "deny") throw new Error(said.reason);
    },
    "tool.execute.after": async (input, output) => {
      const answer = { tool_response: { title: output.title, output: output.output } };
      await tell(about(input.sessionID, "PostToolUse", { ...tool(input, input.args), ...answer }));
    },
  };
};
