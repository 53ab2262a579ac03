import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'
import { INJECTED, PAYLOADS } from './payloads.js'

const project = `flow/${hex(4)}`
const [rootId, chatId, toolId] = [uuid7(), uuid7(), uuid7()]
const traceId = uuid7()
beforeAll(async () => {
  const source_code = 'def agent(q):\n    return lookup(q)\n'
  const { digest } = await server.api.ok(v2(project, 'ops'), { name: 'agent', source_code })
  const bot = { project_id: project, object_id: 'bot', val: { system: 'Be **kind**.', limits: { words: 7 } } }
  const { digest: version } = await server.api.ok('/obj/create', { obj: bot })
  const botRef = `weave:///${project}/object/bot:${version}`
  const base = { ...complete(project), trace_id: traceId }
  const at = (ms: number) => new Date(Date.parse('2026-06-01T12:00:00Z') + ms).toISOString()
  const parameters = { type: 'object', properties: { id: { type: 'integer' } } }
  const tool = { type: 'function', function: { name: 'lookup', description: 'finds an order', parameters } }
  const toolCall = { id: 't1', type: 'function', function: { name: 'lookup', arguments: '{"id":4471}' } }
  await server.api.post(v2(project, 'calls/complete'), {
    batch: [
      {
        ...base,
        id: rootId,
        parent_id: undefined,
        op_name: `weave:///${project}/op/agent:${digest}`,
        started_at: at(0),
        ended_at: at(900),
        inputs: { q: `${botRef}/attr/system`, self: botRef, long: `${'one line. '.repeat(600)}\nThe end.` },
        output: null,
      },
      {
        ...base,
        ...{ id: chatId, parent_id: rootId, op_name: 'chat', started_at: at(10), ended_at: at(500) },
        inputs: {
          ...{ model: 'gpt-4o-mini', temperature: 0.2, tools: [tool] },
          messages: [
            { role: 'system', content: `${botRef}/attr/system` },
            { role: 'tool', tool_call_id: 'before', content: '{"said":"earlier"}' },
            { role: 'user', content: 'Where is **my** order?' },
            { role: 'assistant', content: null, tool_calls: [toolCall] },
            { role: 'tool', tool_call_id: 't1', content: '{"status":"shipped"}' },
          ],
        },
        output: {
          choices: [
            {
              message: {
                role: 'assistant',
                content: 'It is *shipped*.',
                reasoning_content: 'The status says so.',
              },
            },
          ],
        },
        summary: {
          usage: {
            'gpt-4o-mini': { prompt_tokens: 1000, completion_tokens: 100, requests: 1, total_cost: 0.0123 },
          },
        },
      },
      {
        ...base,
        ...{ id: toolId, parent_id: rootId, op_name: 'lookup', attributes: { kind: 'tool' } },
        started_at: at(510),
        ended_at: at(800),
        inputs: {},
        output: null,
        exception: JSON.stringify({
          ...{ type: 'KeyError', message: '4471' },
          traceback: [
            { filename: '/app/orders.py', line_number: 12, function_name: 'find', text: 'orders[id]' },
            { filename: '/v/site-packages/db/get.py', line_number: 3, function_name: 'get', text: 'raise' },
          ],
        }),
      },
    ],
  })
})

const detail = (page: Page) => page.getByRole('region', { name: 'The call' })

it('a link opens a call within its trace: a conversation with its cost', async () => {
  const page = await visit(`/${project}/r/call/${chatId}`)
  await page.getByRole('treeitem', { name: 'chat' }).waitFor()
  await expect.poll(() => page.getByRole('treeitem').allInnerTexts()).toHaveLength(3)
  await detail(page).getByText('1,000 in, 100 out').waitFor()
  await detail(page).getByText('$0.00021').waitFor()
  await detail(page).getByText('$0.012, says its sender').waitFor()
  await detail(page).getByLabel('Parameters of the model').getByText('0.2').waitFor()
  await detail(page).getByText('1 tool to call').click()
  const messages = detail(page).getByRole('article')
  await expect.poll(() => messages.count()).toBe(5)
  // What comes from an object is shown, and where it is.
  await messages.nth(0).locator('strong').getByText('kind').waitFor()
  await messages.nth(0).getByRole('link', { name: 'bot: system' }).waitFor()
  await messages.nth(1).getByText('"said": "earlier"').waitFor()
  await expect.poll(() => messages.nth(2).locator('strong').textContent()).toBe('my')
  // What the tool is for, and its result, stand with the call.
  await messages.nth(3).getByText('finds an order').click()
  await messages.nth(3).getByText('"integer"').waitFor()
  await messages.nth(3).getByText('"status": "shipped"').waitFor()
  const reasoning = messages.nth(4).getByText('The status says so.')
  await expect.poll(() => reasoning.isVisible()).toBe(false)
  await messages.nth(4).getByText('Reasoning').click()
  await reasoning.waitFor()
  await inspect(page)
})

it('one goes through the calls by keys, to the errors alone, and searches', async () => {
  const page = await visit(`/${project}/r/call/${rootId}`)
  await page.getByRole('treeitem', { name: 'agent', selected: true }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('treeitem', { name: 'chat', selected: true }).waitFor()
  await page.keyboard.press('j')
  await detail(page).getByText('KeyError: 4471').waitFor()
  expect(page.url()).toContain(toolId)
  await page.reload()
  await detail(page).getByText('KeyError: 4471').waitFor()
  // Lines of packages are closed at first.
  await detail(page).getByText('/app/orders.py:12 in find').first().waitFor()
  await expect.poll(() => detail(page).getByText('/v/site-packages').isVisible()).toBe(false)
  expect(await page.title()).toBe(`agent · Trace · ${project} · Heddle`)
  await page.keyboard.press('e')
  await page.getByRole('treeitem', { name: 'chat' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(2)
  await page.keyboard.press('e')
  await page.getByLabel('Search in the trace').fill('cha')
  await page.getByRole('treeitem', { name: 'lookup' }).waitFor({ state: 'detached' })
  // What is in no name may be in what went in or came out.
  await page.getByLabel('Search in the trace').fill('The END.')
  await page.getByRole('treeitem', { name: 'agent' }).getByLabel('Its content has the text').waitFor()
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(1)
  await inspect(page)
})

it('a trace is a tree that says what its calls cost, a log and a graph, each at an address', async () => {
  const page = await visit(`/${project}/r/call/${rootId}?view=tree`)
  const chat = page.getByRole('treeitem', { name: 'chat' })
  for (const text of ['gpt-4o-mini', '1,100 tokens', '$0.00021']) await chat.getByText(text).waitFor()
  await page.getByRole('treeitem', { name: 'lookup' }).getByRole('img', { name: 'tool' }).waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Log' }).click()
  await page.waitForURL(/view=log/)
  await page.getByRole('treeitem', { name: '510 ms' }).getByText('lookup').waitFor()
  await page.getByRole('button', { name: 'Graph' }).click()
  const graph = page.getByRole('region', { name: 'Graph of the trace' })
  await graph.getByRole('button', { name: 'gpt-4o-mini' }).click()
  await detail(page).getByRole('heading', { name: 'chat' }).waitFor()
  await inspect(page)
  await page.reload()
  await graph.getByRole('button', { name: 'gpt-4o-mini', pressed: true }).waitFor()
  // The bar between the panes is moved by keys, and stays there.
  const bar = page.getByRole('separator')
  await bar.press('ArrowRight')
  await page.reload()
  await bar.waitFor()
  await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('52')
})

it('one goes on to the next trace of the list, and compares two call by call', async () => {
  const [root, chat, extra] = [uuid7(), uuid7(), uuid7()]
  const base = { ...complete(project), trace_id: root, started_at: '2026-06-01T11:00:00Z' }
  await server.api.post(v2(project, 'calls/complete'), {
    batch: [
      { ...base, id: root, op_name: 'agent', ended_at: '2026-06-01T11:00:01.8Z', output: null },
      { ...base, id: chat, parent_id: root, op_name: 'chat', ended_at: '2026-06-01T11:00:01Z', output: 'no' },
      { ...base, id: extra, parent_id: root, op_name: 'plan', ended_at: '2026-06-01T11:00:00.1Z' },
    ],
  })
  const page = await visit(`/${project}/weave/traces?sort=started_at&q=name:agent`)
  await page.getByRole('link', { name: 'agent', exact: true }).first().click()
  await page.waitForURL(new RegExp(root))
  await page.getByRole('treeitem', { name: 'plan' }).waitFor()
  await page.getByRole('button', { name: /Next trace of the list/ }).waitFor()
  await page.keyboard.press('J')
  await page.waitForURL(new RegExp(rootId))
  await page.getByRole('treeitem', { name: 'lookup' }).waitFor()
  await page.getByRole('button', { name: 'Compare with another trace' }).click()
  await page.getByRole('button', { name: 'The one before' }).click()
  const rows = page.getByRole('dialog').getByRole('rowgroup').last().getByRole('row')
  const row = (name: string) => rows.filter({ has: page.getByText(name, { exact: true }) })
  await row('agent').getByText('−50 %').waitFor()
  await row('plan').getByText('gone').waitFor()
  await row('lookup').getByText('added').waitFor()
  await row('chat').getByText('differs').waitFor()
  await row('chat')
    .getByRole('button', { name: /Open row/ })
    .click()
  await page.getByRole('dialog').getByText('output changed').waitFor()
  await inspect(page)
  await page.reload()
  await row('plan').getByText('gone').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(page.url()).not.toContain('compare')
})

it('a call has the code of its version of the op, and the price of its tokens', async () => {
  const page = await visit(`/${project}/r/call/${rootId}`)
  await detail(page).getByRole('tab', { name: 'Code' }).click()
  await detail(page).getByText('return lookup(q)').waitFor()
  await inspect(page)
  await detail(page).getByRole('link', { name: 'agent v0' }).click()
  await page.getByRole('navigation', { name: 'Versions' }).waitFor()
  await page.goBack()
  await page.keyboard.press('j')
  await detail(page).getByText('at $0.15 in, $0.60 out for a million').waitFor()
  await expect.poll(() => detail(page).getByRole('tab', { name: 'Code' }).count()).toBe(0)
})

it('feedback is given and shown', async () => {
  const page = await visit(`/${project}/r/call/${chatId}`)
  // As on plain http: there is no clipboard to write to.
  await page.evaluate(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
  await page.getByRole('button', { name: 'Copy the id' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await page.getByRole('tab', { name: 'Feedback', exact: true }).click()
  await page.getByRole('button', { name: 'React with 👍' }).click()
  const reaction = page.getByRole('listitem').filter({ hasText: '👍' })
  await reaction.waitFor()
  await page.getByRole('button', { name: 'React with 👍', pressed: true }).click()
  await reaction.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'React with 👍', pressed: false }).click()
  await reaction.waitFor()
  await page.getByLabel('Note').fill('well said')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'well said' }).waitFor()
  await inspect(page)
})

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

it('media that the SDKs stored or sent are shown, and what was never uploaded says so', async () => {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new Blob([Buffer.from(PNG, 'base64')]), 'image.png')
  const headers = { authorization: `Bearer ${server.key}` }
  const stored = await fetch(`${server.url}/file/create`, { method: 'POST', headers, body: form })
  const { digest } = (await stored.json()) as { digest: string }
  const image = {
    ...{ _type: 'CustomWeaveType', weave_type: { type: 'PIL.Image.Image' } },
    files: { 'image.png': digest },
  }
  const pdf = 'data:application/pdf;base64,JVBERi0xLjE='
  const lost = `@@@langfuseMedia:type=image/png|id=${'A'.repeat(22)}|source=bytes@@@`
  const id = uuid7()
  const call = { ...complete(project), id, op_name: 'see', inputs: { image, page: pdf }, output: { lost } }
  await server.api.post(v2(project, 'calls/complete'), { batch: [call] })
  const page = await visit(`/${project}/r/call/${id}`)
  const media = detail(page).getByRole('region', { name: 'Media' })
  const shown = media.getByRole('img')
  await shown.waitFor()
  expect(await shown.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(1)
  await media.getByText('not found').waitFor()
  await expect.poll(() => media.getByRole('link', { name: 'application/pdf' }).getAttribute('href')).toBe(pdf)
  await inspect(page)
})

it('script in a stored text is never run', async () => {
  const id = uuid7()
  const all = PAYLOADS.join('\n\n')
  const inside = Object.fromEntries(PAYLOADS.map((payload, i) => [payload.replaceAll('.', ''), PAYLOADS[i]]))
  const hostile = {
    ...complete(project),
    ...{ id, op_name: PAYLOADS[0], display_name: PAYLOADS[1], exception: all, thread_id: PAYLOADS[2] },
    inputs: {
      messages: [
        ...PAYLOADS.map((content) => ({ role: content, content })),
        { role: 'user', content: [{ type: 'image_url', image_url: { url: PAYLOADS[8] } }] },
      ],
      inside,
    },
    output: {
      choices: [
        {
          message: {
            role: 'assistant',
            content: all,
            reasoning_content: all,
            tool_calls: [{ id: '1', function: { name: PAYLOADS[1], arguments: all } }],
          },
        },
      ],
    },
    attributes: inside,
    summary: { usage: { [PAYLOADS[1]!]: { prompt_tokens: 1 } } },
  }
  await server.api.post(v2(project, 'calls/complete'), { batch: [hostile] })
  const page = await visit(`/${project}/r/call/${id}`)
  await detail(page).getByRole('tab', { name: 'Conversation' }).waitFor()
  for (const tab of ['Conversation', 'Data', 'Attributes', 'Feedback', 'Raw']) {
    await detail(page).getByRole('tab', { name: tab }).click()
    await expect.poll(() => page.locator(INJECTED).count()).toBe(0)
  }
  await inspect(page)
  await page.goto(`/${project}/weave/traces?all=true&cols=name,inputs,output,thread_id`)
  await page.getByRole('rowgroup').getByRole('row').first().waitFor()
  await inspect(page)
})

it('a long trace is shown from its beginning on, and all of a long conversation can be read', async () => {
  const [id, trace_id] = [uuid7(), uuid7()]
  const messages = Array.from({ length: 350 }, (_, i) => ({ role: 'user', content: `said ${i}` }))
  const root = { ...complete(project), id, trace_id, parent_id: undefined, inputs: { messages } }
  const below = Array.from({ length: 600 }, () => ({ ...complete(project), trace_id, parent_id: id }))
  await server.api.post(v2(project, 'calls/complete'), { batch: [root, ...below] })
  const page = await visit(`/${project}/weave/traces`)
  let goOn = () => {}
  const seen = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.context().route('**/calls/stream_query', async (route) => {
    const { filter, limit } = route.request().postDataJSON()
    if (filter?.trace_ids && limit === undefined) await seen
    await route.continue()
  })
  await page.goto(`/${project}/r/call/${id}`)
  await page.getByText('Reading all its calls…').waitFor()
  await page.getByRole('treeitem').nth(10).waitFor()
  goOn()
  await page.getByText(/^601 calls/).waitFor()
  await page.context().unroute('**/calls/stream_query')
  await detail(page).getByText('said 349', { exact: true }).waitFor()
  await detail(page)
    .getByRole('button', { name: /earlier messages/ })
    .click()
  await detail(page).getByText('said 0', { exact: true }).waitFor()
})

it('a large call is opened part by part', async () => {
  const id = uuid7()
  const records = Array.from({ length: 4_500 }, (_, i) => ({ name: `record ${i}`, text: 'x'.repeat(200) }))
  const large = { ...complete(project), id, inputs: { records }, output: 'done' }
  await server.api.post(v2(project, 'calls/complete'), { batch: [large] })
  const page = await visit(`/${project}/r/call/${id}`)
  const row = (text: string) => detail(page).locator('.json-row').filter({ hasText: text }).last()
  await row('records').getByRole('button', { name: 'Open', exact: true }).click()
  await row('4000 … 4499').getByRole('button', { name: 'Open', exact: true }).waitFor()
  await detail(page)
    .locator('.json-row')
    .filter({ has: page.getByText('1000 … 1999', { exact: true }) })
    .getByRole('button', { name: 'Open', exact: true })
    .click()
  await detail(page)
    .locator('.json-key')
    .filter({ hasText: /^1000$/ })
    .waitFor()
  await inspect(page)
})

it('a long text in JSON is read to its end, and what a ref points at stands in its place', async () => {
  const page = await visit(`/${project}/r/call/${rootId}`)
  const row = (key: string) =>
    detail(page)
      .locator('.json-row')
      .filter({ has: page.locator('.json-key').getByText(key, { exact: true }) })
  await row('q').getByText('Be **kind**.').waitFor()
  await row('self').getByText('limits').waitFor()
  await row('self').getByRole('button', { name: 'Open', exact: true }).click()
  await row('limits').waitFor()
  await row('long').getByRole('button', { name: 'Open', exact: true }).click()
  await detail(page).getByText('The end.').waitFor()
  const heightOf = async () => (await detail(page).locator('.json-text pre').boundingBox())!.height
  await expect.poll(heightOf).toBeGreaterThan(200)
  await inspect(page)
  // What is found is opened, counted and gone through.
  const search = detail(page).getByRole('search').first()
  await search.getByRole('searchbox').fill('words')
  await search.getByText('1 of 1').waitFor()
  await row('words').locator('mark').waitFor()
  await search.getByRole('searchbox').fill('be **')
  await search.getByText('1 of 2').waitFor()
  await search.getByRole('searchbox').press('Enter')
  await search.getByText('2 of 2').waitFor()
  await search.getByRole('searchbox').fill('')
  // The same as a table.
  await detail(page).getByRole('button', { name: 'Table' }).first().click()
  await detail(page).getByRole('cell', { name: 'self' }).waitFor()
  await inspect(page)
  await detail(page).getByRole('button', { name: 'JSON' }).first().click()
  await row('self').getByRole('link', { name: 'bot' }).click()
  await page.getByRole('navigation', { name: 'Versions' }).waitFor()
  await page.goto(`/${project}/weave/traces?cols=name,inputs.q`)
  await page.getByRole('cell', { name: 'Be **kind**.' }).waitFor()
  // The way back leads to the list as it was.
  await page.getByRole('link', { name: 'agent', exact: true }).first().click()
  await detail(page).waitFor()
  await page.keyboard.press('u')
  await page.waitForURL(/cols=name%2Cinputs\.q|cols=name,inputs\.q/)
})

it('a call that is not there says so', async () => {
  const page = await visit(`/${project}/r/call/${uuid7()}`)
  await page.getByRole('alert').filter({ hasText: 'no call with this id' }).waitFor()
})
