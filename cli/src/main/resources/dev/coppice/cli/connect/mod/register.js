// Written by 'coppice connect claude-code --mod'; 'coppice connect claude-code --undo' takes it out.

const ADDRESS = "@ADDRESS@";
const TOKEN = "@TOKEN@";

// The fate of a subagent when Coppice does not answer: "pass" or "deny".
const UNREACHABLE = "@UNREACHABLE@";

const PATIENCE_MILLIS = 1000;
const NO_ANSWER = "Coppice does not answer";

const patience = () =>
  new Promise((_, fail) => setTimeout(() => fail(new Error(NO_ANSWER)), PATIENCE_MILLIS));

// A program that Coppice runs has the token of its run.
const request = (body, run) => ({
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    Authorization: `Bearer ${TOKEN}`,
    ...(run && { "X-Agent-Token": run }),
  },
  body: JSON.stringify(body),
});

export function register(on) {
  on("agent.spawn", async ($, e, next) => {
    let run;
    const event = { session_id: await $.session.id(), tool_use_id: e.tool_use_id };
    const asks = {
      ...event,
      hook_event_name: "AgentSpawn",
      tool_name: "Agent",
      tool_input: { subagent_type: e.subagentType, description: e.description },
      ...(e.parentAgentId && { agent_id: e.parentAgentId }),
    };
    try {
      run = await $.env.get("COPPICE_TOKEN");
      const answer = await Promise.race([$.http.fetch(ADDRESS, request(asks, run)), patience()]);
      if (!answer.ok) throw new Error(NO_ANSWER);
      const said = JSON.parse(answer.text);
      if (said.decision === "deny") return { deny: said.reason };
    } catch {
      if (UNREACHABLE === "deny") return { deny: `${NO_ANSWER}, and no subagent starts without it` };
      $.ui.log(`${NO_ANSWER}; the subagent starts all the same`);
    }
    const started = await next(e);
    if (started.agentId) {
      const tells = {
        ...event,
        hook_event_name: "AgentSpawned",
        agent_id: started.agentId,
        agent_type: e.subagentType,
        parent_agent_id: e.parentAgentId ?? null,
      };
      // Nobody waits for this request: the subagent has begun.
      Promise.race([$.http.fetch(ADDRESS, request(tells, run)), patience()]).catch(() => {});
    }
    return started;
  });
}
