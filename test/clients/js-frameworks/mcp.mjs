// The official client of the Model Context Protocol, of both its versions and by standard input, against every tool.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const { HEDDLE_URL, WRITER, READER, PROJECT, MAIN } = process.env

async function connected(transport, mode) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}
const overHttp = (key, mode) => {
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  return connected(new StreamableHTTPClientTransport(new URL(`${HEDDLE_URL}/mcp`), { requestInit }), mode)
}

const newest = await overHttp(WRITER, { pin: '2026-07-28' })
// The client checks answers against the schemas that it was told.
const { tools } = await newest.listTools()
const call = async (name, args, client = newest) => {
  const { structuredContent, content, isError } = await client.callTool({
    name,
    arguments: { project: PROJECT, ...args },
  })
  return isError ? { error: content[0].text } : structuredContent
}

/** Follows cursors to the end. */
async function all(name, args, member) {
  const found = []
  let pages = 0
  for (let cursor; pages === 0 || cursor !== undefined; pages++) {
    const answer = await call(name, { ...args, cursor })
    if (answer.error) return answer
    found.push(...answer[member])
    cursor = answer.next_cursor
  }
  return { found, pages }
}

const failed = await call('search_calls', { text: 'NEEDLE', errors_only: true })
const [needle] = failed.calls
const outline = await all('read_trace', { trace_id: needle.trace_id, max_tokens: 500 }, 'spans')
const inFull = await call('read_call', { call_id: needle.id })
const large = await call('search_calls', { op: 'large' })
let part = await call('read_call', { call_id: large.calls[0].id, max_tokens: 500 })
let text = part.json_part
for (; part.next_cursor; text += part.json_part)
  part = await call('read_call', { call_id: large.calls[0].id, max_tokens: 5000, cursor: part.next_cursor })
const made = await call('add_to_dataset', {
  dataset: 'failures',
  rows: [{ inputs: { by: 'hand' } }],
  call_ids: [needle.id],
})
const added = await call('add_to_dataset', { dataset: 'failures', rows: [{ inputs: { by: 'hand again' } }] })
const queued = await call('add_to_queue', { queue: 'to look at', call_ids: [needle.id] })

const legacy = await overHttp(WRITER, 'legacy')
const reader = await overHttp(READER, 'legacy')
const stdio = await connected(
  new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--url', HEDDLE_URL],
    env: { ...process.env, HEDDLE_DEV_API_KEY: READER },
  }),
  'legacy',
)
const names = async (client) => (await client.listTools()).tools.map(({ name }) => name)
const refusedBy = (promise) => promise.then(() => 'nothing').catch(({ code, message }) => ({ code, message }))

const found = {
  tools,
  versions: [newest, legacy].map((client) => client.getNegotiatedProtocolVersion()),
  prompts: (await newest.listPrompts()).prompts.map(({ name }) => name),
  prompt: (await newest.getPrompt({ name: 'why_did_this_fail', arguments: { project: PROJECT, call: 'c' } }))
    .messages,
  projects: await call('find_projects', {}),
  failed,
  pages: await all('search_calls', { op: 'step', limit: 3 }, 'calls'),
  where: await call('search_calls', { where: { $gt: [{ $getField: 'inputs.n' }, { $literal: 9 }] } }),
  outline,
  inFull,
  text,
  part: await call('read_call', { call_id: needle.id, path: 'inputs.question' }),
  compared: await call('read_call', {
    call_id: needle.id,
    compare_with: outline.found[2].id,
    path: 'inputs',
  }),
  threads: await call('read_conversation', {}),
  conversation: await call('read_conversation', { thread_id: 'talk' }),
  byOp: await call('stats', { since: process.env.SINCE, until: process.env.UNTIL, group_by: 'op' }),
  byModel: await call('stats', { since: process.env.SINCE, until: process.env.UNTIL, group_by: 'model' }),
  sql: await call('sql', { query: "SELECT toUInt32(count()) AS calls FROM calls WHERE op_name = 'step'" }),
  tables: await call('sql', { max_tokens: 50_000 }),
  bySpanField: await call('stats', {
    since: process.env.SINCE,
    until: process.env.UNTIL,
    group_by: 'request_model',
  }),
  evaluations: await call('compare_evaluations', { run_ids: [process.env.RUN, process.env.RUN_TWO] }),
  made,
  added,
  objects: await call('read_objects', { kind: 'dataset' }),
  dataset: await call('read_objects', { name: 'failures' }),
  atOnce: await Promise.all(
    Array.from({ length: 5 }, (_, n) => call('add_to_dataset', { dataset: 'failures', rows: [{ n }] })),
  ),
  larger: await call('read_objects', { name: 'failures' }),
  queued,
  again: await call('add_to_queue', { queue: 'to look at', call_ids: [needle.id] }),
  feedback: await call('give_feedback', { call_id: needle.id, note: 'look at this' }),
  training: await call('read_training', {}),
  errors: {
    elsewhere: await call('search_calls', { project: 'no/right' }),
    arguments: await call('search_calls', { limit: 'many' }),
    where: await call('search_calls', { where: { $nope: [] } }),
    cursor: await call('search_calls', { cursor: 'nope' }),
    call: await call('read_call', { call_id: 'nope' }),
    tool: await refusedBy(newest.callTool({ name: 'nope' })),
    feedback: await call('give_feedback', { call_id: needle.id }),
    evaluation: await call('start_evaluation', { evaluation: 'nope', model: 'nope' }),
    training: await call('start_training', { model: 'm', base_model: 'b' }),
    reward: await call('start_training', { model: 'm', base_model: 'b', dataset: 'failures', reward: 'r' }),
    endless: await call('sql', {
      query: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r',
    }),
    gigabytes: await call('sql', {
      query: "SELECT groupArray(repeat('x', 1000000)) FROM (SELECT arrayJoin(range(1000000)))",
    }),
  },
  legacy: { names: await names(legacy), found: await call('search_calls', { text: 'needle' }, legacy) },
  reader: {
    names: await names(reader),
    found: await call('search_calls', { text: 'needle' }, reader),
    refused: await call('give_feedback', { call_id: needle.id, note: 'no' }, reader),
  },
  stdio: { names: await names(stdio), found: await call('search_calls', { text: 'needle' }, stdio) },
}
await Promise.all([newest, legacy, reader, stdio].map((client) => client.close()))
process.stdout.write(`RESULT ${JSON.stringify(found)}\n`)
