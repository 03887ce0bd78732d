// Drives every tool of a coordinator with the official TypeScript clients, old and new, which
// check each result against the schema of its tool. Usage: node clients.mjs URL TOKEN old|new
import process from 'node:process';

const [url, token, which] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const endpoint = new URL(url);
const info = { name: `coppice-test-${which}`, version: '1.0.0' };
const capabilities = { elicitation: {} };
let client;
let asked = 0;

function fail(said) {
  console.error(said);
  process.exit(1);
}

async function answer() {
  asked++;
  return { action: 'accept', content: { confirm: true, answer: 'yes' } };
}

if (which === 'old') {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ElicitRequestSchema, ResourceUpdatedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client = new Client(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, answer);
  client.updated = new Promise((done) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, done));
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  client.watch = (uri) => client.subscribeResource({ uri });
} else {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', answer);
  client.updated = new Promise((done) => client.setNotificationHandler('notifications/resources/updated', done));
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  client.watch = (uri) => client.listen({ resourceSubscriptions: [uri] });
}

const called = new Set();
async function tool(name, args, options = {}) {
  called.add(name);
  const steps = [];
  const result = await client.callTool(
    { name, arguments: args },
    ...(which === 'old' ? [undefined] : []),
    { onprogress: (p) => steps.push(p.progress), timeout: 60000 });
  if (Boolean(result.isError) !== Boolean(options.refused)) {
    fail(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result)}`);
  }
  if (options.refused === undefined && result.structuredContent === undefined && !options.text) {
    fail(`${name} has no structured content`);
  }
  return { ...result.structuredContent, steps };
}

const id = (n) => `${which}-${n}`;
const tools = (await client.listTools()).tools;

await tool('list_agent_blueprints', {});
await tool('create_session', { session_id: id('top'), session_name: id('top') });
await tool('create_agent', { session_id: id('top'), agent_name: id('agent') });
await client.watch(`coppice://sessions/${id('top')}/tree`);
const kid = await tool('start_agent_session', {
  session_name: id('kid'), parent_session_id: id('top'), prompt: 'say hi', mode: 'async_poll' });
const told = await client.updated;
if (!told.params.uri.endsWith('/tree')) fail(`told of ${JSON.stringify(told)}`);
await tool('list_agent_sessions', {});
await tool('get_agent_session_status', { session_id: kid.session_id });
await tool('get_agent_session_result', { session_id: kid.session_id }, { refused: true });
await tool('get_session_status', { session_name: id('kid') });
await tool('list_children', { session_id: id('top') });
await tool('get_tree', { session_id: id('top') });
await tool('report_progress', { session_id: id('top'), event: { event_type: 'progress', percent: 5 } });
await tool('search_events', { limit: 5 });
await tool('get_budget', { session_id: id('top') });
await tool('get_audit', {});
await tool('send_message_to_agent', { agent_name: id('kid'), message: 'and more' });
await tool('stop_session', { session_name: id('kid') });
await tool('wait_for_sessions', { session_ids: [kid.session_id], wait: '5s' });
await tool('clear_agent_conversation', { agent_name: id('kid') });
await tool('start_new_agent_conversation', { agent_name: id('kid'), prompt: 'again', mode: 'async_poll' });
await tool('stop_session', { session_name: id('kid') });
await tool('resume_agent_session', { session_name: id('kid'), prompt: 'and again', mode: 'async_poll' });
await tool('stop_session', { session_name: id('kid') });
await tool('list_orphans', {});
const wave = await tool('start_wave', {
  name: id('wave'), parent_session_id: id('top'), members: [{ name: id('member'), prompt: 'say hi' }] });
await tool('get_wave', { wave_id: wave.wave_id });
await tool('list_waves', {});
await tool('stop_wave', { wave_id: wave.wave_id });
await tool('ask_human', { question: 'Go on?' }, { refused: true });
await tool('delete_all_agent_sessions', {}, { refused: true });
await tool('delete_agent', { agent_name: id('agent') });
await tool('stop_session', { session_name: id('top'), scope: 'tree' });
await tool('delete_session', { session_id: id('top'), dry_run: true });
await tool('get_removal_plan', { session_id: id('top') });
await tool('get_delete_plan', { session_name: id('top') });
// A message that nobody has delivered forbids it.
await tool('delete_session', { session_name: id('top') }, { refused: true });
const before = asked;
const forced = { force: true, reason: 'test' };
const deleted = await tool('delete_session', { session_name: id('top'), ...forced });
if (asked !== before + 1) fail('the deletion did not ask');
if (deleted.steps.at(-1) !== 100) fail(`progress ended with ${deleted.steps}`);
await tool('list_removals', {});
await tool('list_work', { removal_id: deleted.removal_id });
await tool('restore_work', { removal_id: deleted.removal_id });
await tool('undo_removal', { removal_id: deleted.removal_id, wait: '10s' });
const again = await tool('delete_session', { session_name: id('top'), ...forced });
await tool('undo_deletion', { removal_id: again.removal_id });
await tool('restore_session', { file: deleted.backup_path, new_ids: true, rename: true });

for (const prompt of (await client.listPrompts()).prompts) {
  const given = Object.fromEntries(prompt.arguments.map((a) => [a.name, id('top')]));
  await client.getPrompt({ name: prompt.name, arguments: given });
}
await client.readResource({ uri: `coppice://sessions/${id('top')}` });
const left = tools.map((t) => t.name).filter((name) => !called.has(name));
if (left.length > 0) fail(`not called: ${left}`);
console.log(`${called.size} tools with the ${which} client, ${asked} questions`);
await client.close();
process.exit(0);
