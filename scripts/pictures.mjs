// `make pictures`: takes the pictures of README and docs from the pages of a service of its own, or of one that has models
// and no project acme/support: `node scripts/pictures.mjs URL KEY`. Writes the calls that they show, and trains on them.
import { randomUUID } from 'node:crypto'
import { ChatServer } from '../dist/test/support/chat-server.js'
import { chromium } from '../web/node_modules/playwright-core/index.mjs'

const own = process.argv.length < 4 ? await ChatServer.start() : undefined
const [url, key] = own ? [own.server.url, own.server.key] : process.argv.slice(2)
const project = 'acme/support'
const TRACES = 80
const QUESTIONS = [
  'Where is my order 4471?',
  'Can I return the blue scarf?',
  'Do you ship to Norway?',
  'Why was I charged twice?',
]

/** Spread evenly, and the same each time. */
const varied = (n) => (n * 0.618034) % 1

function call(id, trace, parent, op, from, ms, more) {
  const times = { started_at: new Date(from).toISOString(), ended_at: new Date(from + ms).toISOString() }
  const ids = { id, trace_id: trace, ...(parent && { parent_id: parent }) }
  return {
    project_id: project,
    ...ids,
    op_name: op,
    ...times,
    attributes: {},
    inputs: {},
    summary: {},
    ...more,
  }
}

/** A question that a model answers with the help of a tool, which fails now and then. */
function trace(n) {
  // More of them lately.
  const from = Date.now() - 60_000 - 44 * 3_600_000 * (n / TRACES) ** 1.5
  const [root, ask, lookup, answer] = Array.from({ length: 4 }, () => randomUUID())
  const slower = 0.85 + 0.4 * varied(n)
  const part = (id, op, at, ms, more) => call(id, root, root, op, from + at * slower, ms * slower, more)
  const usage = (input, output) => ({
    summary: { usage: { 'gpt-4o-mini': { prompt_tokens: input, completion_tokens: output, requests: 1 } } },
  })
  const question = QUESTIONS[Math.floor(varied(7 * n) * QUESTIONS.length)]
  const messages = [
    { role: 'system', content: 'You are a helpful support agent. Answer in **short** sentences.' },
    { role: 'user', content: question },
  ]
  const tool = {
    id: 'call_1',
    type: 'function',
    function: { name: 'lookup_order', arguments: '{"order_id": 4471}' },
  }
  const asked = { role: 'assistant', content: null, tool_calls: [tool] }
  const found = { status: 'shipped', carrier: 'DHL', eta: '2026-11-25' }
  const result = { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(found) }
  const text =
    'Your order **4471** is on its way:\n\n- Carrier: DHL\n- Expected: *25 November*\n\nAnything else I can do?'
  const fails = n > 0 && varied(3 * n) < 0.12
  const model = 'gpt-4o-mini'
  const chat = 'openai.chat.completions.create'
  const failure = { exception: 'TimeoutError: the order service did not answer' }
  return {
    first: answer,
    calls: [
      call(root, root, undefined, 'answer_ticket', from, 2400 * slower, {
        inputs: { question },
        ...(fails ? failure : { output: { answer: text } }),
        thread_id: `t${n % 9}`,
      }),
      part(ask, chat, 40, 860, {
        inputs: { model, messages },
        output: { choices: [{ message: asked }] },
        ...usage(180 + 8 * (n % 7), 54),
      }),
      part(lookup, 'lookup_order', 920, 380, {
        inputs: { order_id: 4471 },
        ...(fails ? failure : { output: found }),
      }),
      ...(fails
        ? []
        : [
            part(answer, chat, 1320, 1060, {
              inputs: { model, messages: [...messages, asked, result] },
              output: { choices: [{ message: { role: 'assistant', content: text } }] },
              ...usage(290 + 12 * (n % 5), 41),
            }),
          ]),
    ],
  }
}

async function post(path, body) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}

/** Starts a job on the answers to the questions; the page waits for its end. */
async function train(name, config) {
  const [entity, ofEntity] = project.split('/')
  const model = await post('/v1/preview/models', { entity, project: ofEntity, name, base_model: 'demo' })
  const filter = { op_names: ['answer_ticket'] }
  const training_data = {
    calls: { project_id: project, filter },
    template: { prompt: '{inputs.question}', completion: '{output.answer}' },
    keep_duplicates: true,
  }
  await post('/v1/preview/sft-training-jobs', { model_id: model.id, training_data, config })
}

const traces = Array.from({ length: TRACES }, (_, n) => trace(n))
await post(`/v2/${project}/calls/complete`, { batch: traces.flatMap(({ calls }) => calls) })
for (const [name, learning_rate] of [
  ['careful', 0.0007],
  ['support', 0.002],
])
  await train(name, { learning_rate, batch_size: 4, epochs: 3 })

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 760 } })
await context.request.post('/session', { data: { key } })
const page = await context.newPage()
for (const [name, path, seen] of [
  ['trace', `/${project}/r/call/${traces[0].first}`, () => page.getByRole('tab').first().waitFor()],
  ['traces', `/${project}/weave/traces`, () => page.getByRole('rowgroup').getByRole('row').first().waitFor()],
  [
    'training',
    `/${project}/weave/training`,
    async () => {
      await page
        .getByText(/^completed/)
        .nth(1)
        .waitFor({ timeout: 600_000 })
      await page.getByRole('checkbox', { name: /careful/ }).check()
      // The values of both are below the curve.
      await page.getByRole('figure').first().filter({ hasText: 'careful', hasNotText: '–' }).waitFor()
    },
  ],
  ['dashboard', `/${project}/weave/dashboards?range=7d`, () => page.getByRole('figure').nth(7).waitFor()],
]) {
  await page.goto(path)
  await seen()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: `docs/pictures/${name}.png` })
}
await browser.close()
await own?.dispose()
