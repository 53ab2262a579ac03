import { beforeAll, expect, it } from 'vitest'
import { hex } from '../../test/support/ids.js'
import { exportRequest, type SpanInput, type Value } from '../../test/support/otlp.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const agents = `/${project}/weave/agents`
const script = '<img src=x onerror=alert(1)>'
const TURNS = 60
const CONVERSATION = 'order 4471/a'
const NOW = BigInt(Date.now() - 3_600_000) * 1_000_000n

/** A turn: an agent that asks its model, and a tool that fails. */
function turn(second: number, question: string, conversation: string, version: string): SpanInput[] {
  const traceId = hex(16)
  const at = (offset: number) => NOW + BigInt(second + offset) * 1_000_000_000n
  const root = hex(8)
  const span = (
    name: string,
    spanId: string,
    attributes: Record<string, Value>,
    more: Partial<SpanInput> = {},
  ) => ({
    traceId,
    spanId,
    name,
    start: at(0),
    end: at(4),
    attributes: { 'gen_ai.conversation.id': conversation, ...attributes },
    ...more,
  })
  const said = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  return [
    span('invoke_agent Weather', root, { 'gen_ai.agent.version': version }),
    span(
      'chat gpt-4o',
      hex(8),
      {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.input.messages': said('user', question),
        'gen_ai.output.messages': said('assistant', `Very **wet**. ${script}`),
      },
      { parentId: root, start: at(1), end: at(2) },
    ),
    span(
      'execute_tool rain',
      hex(8),
      {
        'gen_ai.tool.name': 'rain',
        'gen_ai.tool.call.arguments': '{"place":"Bonn"}',
        'gen_ai.tool.call.result': 'wet',
      },
      { parentId: root, start: at(2), end: at(3), status: { code: 2, message: 'no umbrella' } },
    ),
  ]
}

async function send(spans: SpanInput[]): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  const body = Buffer.from(exportRequest({ spans }))
  const { status } = await server.api.send('POST', '/agents/otel/v1/traces', body, headers)
  expect(status).toBe(200)
}

beforeAll(async () => {
  const long = Array.from({ length: TURNS }, (_, i) => turn(i * 10, `Question ${i}`, 'long', '1')).flat()
  await send([
    ...long,
    ...turn(1000, 'Is it wet?', CONVERSATION, '2'),
    ...turn(1010, 'And now?', CONVERSATION, '2'),
  ])
})

it('an empty project says what makes an agent', async () => {
  const page = await visit(`/flow/${hex(4)}/weave/agents`)
  await page.getByText('No agent yet').waitFor()
  await page.getByRole('tab', { name: 'Conversations' }).click()
  await page.getByText('No conversation yet').waitFor()
  await inspect(page)
})

it('an agent with its charts, versions, spans and errors', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByText('1 agent').waitFor()
  await page.getByRole('row', { name: /^Weather.*\$0\.\d/ }).waitFor()
  await inspect(page)
  await page.getByRole('link', { name: 'Weather' }).click()
  const invocations = page.getByRole('figure', { name: 'Invocations over time', exact: true })
  await invocations.getByText(String(TURNS + 2)).waitFor()
  await page
    .getByRole('figure', { name: 'Latency of invocations over time' })
    .getByText('4.00 s')
    .first()
    .waitFor()
  await inspect(page)
  await page.getByLabel('Time', { exact: true }).selectOption('15m')
  await page.getByText('Nothing happened in the last 15 minutes').waitFor()
  await page.goBack()
  await invocations.waitFor()
  await page.keyboard.press(']')
  await page.getByRole('row', { name: /^2 / }).waitFor()
  await page.getByRole('tab', { name: 'Spans' }).click()
  await page.getByRole('link', { name: 'chat gpt-4o' }).first().waitFor()
  await page.getByLabel('only errors').check()
  await page.getByRole('link', { name: 'chat gpt-4o' }).first().waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'execute_tool rain' }).first().click()
  await page.getByRole('region', { name: 'The call' }).waitFor()
  await inspect(page)
})

it('traces have the names that spans were sent with', async () => {
  const page = await visit(`/${project}/weave/traces`)
  await page
    .getByRole('row', { name: /invoke_agent Weather/ })
    .first()
    .click()
  await page.getByRole('treeitem', { name: 'chat gpt-4o' }).click()
  await page.getByRole('heading', { name: 'chat gpt-4o', exact: true }).waitFor()
})

it('a conversation is a chat, which a link opens and a search finds', async () => {
  const page = await visit(agents, undefined, { width: 390, height: 800 })
  await page.getByRole('tab', { name: 'Conversations' }).click()
  await page.getByLabel('Find a message').fill('Is it wet')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Is it wet/ }).waitFor()
  await inspect(page)
  await page.getByRole('link', { name: CONVERSATION }).click()
  await page.getByText('2 turns').waitFor()
  await page.reload()
  await page.getByText('2 turns').waitFor()
  const messages = page.getByRole('article')
  // Markdown is formatted when its parser has come.
  await expect
    .poll(() => messages.allInnerTexts())
    .toEqual([
      expect.stringContaining('Is it wet?'),
      expect.stringContaining(`Very wet. ${script}`),
      expect.stringContaining('And now?'),
      expect.stringContaining(`Very wet. ${script}`),
    ])
  await page.getByRole('button', { name: 'rain' }).first().click()
  await page.getByText('Bonn').waitFor()
  await page.getByText('no umbrella').first().waitFor()
  await inspect(page)
  await page.goBack()
  await page.getByLabel('Find a message').waitFor()
})

it('of a long conversation the newest turns come first', async () => {
  const page = await visit(`${agents}/conversations/long`)
  await page.getByText(`Question ${TURNS - 1}`, { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Question 0', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Earlier turns' }).click()
  await page.getByText('Question 0', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Turn 1', exact: true }).waitFor()
  await inspect(page)
})
