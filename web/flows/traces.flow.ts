import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { Stub } from '../../test/support/stub.js'
import { until } from '../../test/support/until.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const table = `/${project}/weave/traces`
const rowsOf = (page: Page) => page.getByRole('rowgroup').getByRole('row')

/** Goes to the first completion, which has this name, and takes it. While newer ones are on their way, their list takes no key. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('option', { name, exact: true }).waitFor()
  const isChosen = async () => {
    await page.keyboard.press('ArrowDown')
    return page
      .getByRole('option', { name, exact: true, selected: true })
      .waitFor({ timeout: 1000 })
      .then(
        () => true,
        () => false,
      )
  }
  await expect.poll(isChosen).toBe(true)
  await page.keyboard.press('Enter')
}

const write = (...calls: object[]) => server.api.post(v2(project, 'calls/complete'), { batch: calls })
let at = Date.now() - 60_000
const call = (more: object) => {
  at += 10
  const times = { started_at: new Date(at).toISOString(), ended_at: new Date(at + 5).toISOString() }
  return { ...complete(project), ...times, ...more }
}

beforeAll(() =>
  write(
    ...Array.from({ length: 250 }, (_, i) =>
      call({
        op_name: `step ${i % 5}`,
        inputs: { n: i, text: i === 7 ? 'a needle in the hay' : 'hay'.repeat(i === 8 ? 2_000 : 1) },
        attributes: { env: i % 2 ? 'prod' : 'test', ...(i < 50 && { environment: 'production' }) },
        ...(i % 50 === 0 && { exception: 'ValueError: no' }),
        ...(i === 11 && { summary: { usage: { m: { prompt_tokens: 7, requests: 1 } } } }),
      }),
    ),
  ),
)

it('an empty project shows what to paste, and its first trace by itself', async () => {
  const empty = `flow/${hex(4)}`
  const page = await visit(`/${empty}/weave`)
  await page.getByRole('heading', { name: 'Send your first trace' }).waitFor()
  await page.getByText(`weave.init("${empty}")`).waitFor()
  // Its styles come with it, whatever screen was opened before.
  expect((await page.locator('.first-steps .snippet').first().boundingBox())!.width).toBeLessThan(700)
  await inspect(page)
  await server.api.post(v2(empty, 'calls/complete'), { batch: [complete(empty)] })
  await rowsOf(page).first().waitFor()
  await page.getByRole('button', { name: 'choose another' }).click()
  await page.getByLabel('Find a project').fill(empty)
  await page.getByRole('link', { name: empty }).waitFor()
})

it('traces are filtered, sorted, searched and paged, and the address holds it all', async () => {
  const page = await visit(table)
  await page.getByText('250 traces').waitFor()
  await inspect(page)
  // The editor comes while one types.
  let come = () => {}
  const coming = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(/\/filter-editor/, async (route) => {
    await coming
    await route.continue()
  })
  await page.keyboard.press('/')
  // What may follow is offered.
  await page.getByLabel('Filter', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('status:')
  come()
  await page.keyboard.type('err', { delay: 20 })
  await page.getByRole('option', { name: 'error 5', exact: true }).waitFor()
  await inspect(page)
  await choose(page, 'error 5')
  await page.keyboard.press('Enter')
  await page.getByText('5 traces').waitFor()
  // The chart is of what the table shows.
  await page.getByRole('img', { name: /^5 calls over time/ }).waitFor()
  await page.reload()
  await page.getByText('5 traces').waitFor()
  await page.goBack()
  await page.getByText('250 traces').waitFor()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('Fields and comparisons').click()
  await page.getByText('Time to first token').waitFor()
  await inspect(page)
  await page.getByLabel('Field').fill('attributes.env')
  await page.getByLabel('Value').fill('prod')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('125 traces').waitFor()
  expect(page.url()).toContain('attributes.env')

  await page.getByLabel('Filter', { exact: true }).fill('"a needle"')
  await page.keyboard.press('Enter')
  await page.getByText('1 trace', { exact: true }).waitFor()
  await page.getByLabel('Filter', { exact: true }).fill('colour:prod')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'attributes.colour' }).waitFor()
  await inspect(page)

  await page.goto(`${table}?cols=name,inputs.n&sort=inputs.n`)
  await rowsOf(page).first().getByText('step 0').waitFor()
  // All rows come as one goes on.
  const last = page.getByRole('row').filter({ has: page.getByRole('cell', { name: '249', exact: true }) })
  await until('the last row', async () => {
    await page.getByRole('table').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    return (await last.count()) === 1
  })

  // What traces used is summed up for all pages before they are sorted by it.
  await page.goto(table)
  await page.getByRole('button', { name: 'Trace tokens' }).click()
  await rowsOf(page).first().getByText('n: 11 ').waitFor()
  await inspect(page)
})

it('fields and values are offered as one types, and what is wrong is marked where it is', async () => {
  const page = await visit(table)
  const filter = page.getByLabel('Filter', { exact: true })
  await filter.click()
  await page.locator('.traces-editor').waitFor()
  // Shortcuts are letters here.
  await page.keyboard.type('jr environ')
  await filter.press('Control+a')
  await page.keyboard.type('env')
  await choose(page, 'env Environment')
  // Its values follow, with how many calls have them.
  await choose(page, 'production 50')
  await expect.poll(() => filter.textContent()).toBe('env:production')
  await page.keyboard.press('Enter')
  await page.getByText('50 traces').waitFor()

  await filter.fill('status:failed')
  await page.locator('.cm-lintRange-error').hover()
  await page.getByText('write status:error').waitFor()
  await inspect(page)
  await filter.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'write status:error' }).waitFor()
})

it('values are counted beside the list, and chosen there', async () => {
  const page = await visit(table)
  await page.getByText('250 traces').waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Facets', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Facets' })
  const value = (name: string) => panel.getByRole('button', { name, exact: true })
  await value('success 245').click()
  await page.getByText('245 traces').waitFor()
  // A facet counts what could be chosen besides.
  await value('error 5').waitFor()
  await value('production 49').click()
  await page.getByText('49 traces', { exact: true }).waitFor()
  await value('error 1').click()
  await page.getByText('50 traces').waitFor()
  await panel.getByRole('button', { name: 'Leave out step 0' }).click()
  await page.getByText('40 traces').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe(
    'env:production (status:success or status:error) op!="step 0"',
  )
  await inspect(page)
  // Numbers are chosen by their ranges.
  await panel.getByRole('button', { name: 'Latency', exact: true }).click()
  await panel.getByRole('button', { name: 'Latency 5.0 ms to 10 ms: 40 calls' }).click()
  await page.waitForURL(/latency/)
  await page.getByText('40 traces').waitFor()
  await panel.getByLabel('Latency from (ms)').fill('10')
  await panel.getByLabel('Latency from (ms)').press('Enter')
  await page.getByText('No trace matches').waitFor()
  await panel.getByRole('button', { name: 'Any Latency' }).click()
  await page.getByText('40 traces').waitFor()
  await page.reload()
  await value('production 40').waitFor()
  await panel.getByRole('button', { name: 'Any Op' }).click()
  await page.getByText('50 traces').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await inspect(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await panel.getByRole('button', { name: 'Close the facets' }).click()
  await panel.waitFor({ state: 'detached' })
  // One request counts all of them, and nothing is asked again while nothing changes.
  expect(asked.filter((path) => path === '/calls/facets').length).toBeLessThan(15)
})

it('scores are counted, too', async () => {
  const scored = `flow/${hex(4)}`
  const batch = [complete(scored), complete(scored)]
  await server.api.ok(v2(scored, 'calls/complete'), { batch })
  for (const [i, label] of ['good', 'bad'].entries())
    await server.api.ok('/feedback/create', {
      project_id: scored,
      weave_ref: `weave:///${scored}/call/${batch[i]!.id}`,
      feedback_type: 'quality',
      payload: { label, score: i + 3 },
    })
  const page = await visit(`/${scored}/weave/traces?facets=status`)
  const panel = page.getByRole('complementary', { name: 'Facets' })
  await panel.getByRole('button', { name: 'quality label' }).click()
  await panel.getByRole('button', { name: 'good 1', exact: true }).click()
  await page.getByText('1 trace', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'bad 1', exact: true }).waitFor()
  await panel.getByRole('button', { name: 'quality score' }).click()
  await panel.getByRole('button', { name: 'quality score 2 to 5: 1 call', exact: true }).click()
  await page.waitForURL(/score/)
  await page.getByText('1 trace', { exact: true }).waitFor()
})

it('a time is chosen on the chart', async () => {
  const page = await visit(`${table}?range=1h`)
  await page.getByText('250 traces').waitFor()
  const chart = (await page.locator('.histogram .u-over').boundingBox())!
  // All of it but the last minutes, in which the calls are.
  for (const [end, found] of [
    [0.5, 'No trace matches'],
    [1, '250 traces'],
  ] as const) {
    await page.mouse.move(chart.x + 1, chart.y + 20)
    await page.mouse.down()
    await page.mouse.move(chart.x + end * chart.width - 1, chart.y + 20, { steps: 3 })
    await page.mouse.up()
    await page.waitForURL(/from=/)
    await page.getByText(found).waitFor()
    await page.goBack()
    await page.getByText('250 traces').waitFor()
  }
})

it('what one reads stays while new traces come, and they come at the top when it is live', async () => {
  const page = await visit(`${table}?live=true`)
  await page.getByText('250 traces').waitFor()
  const newest = await rowsOf(page).first().textContent()
  await page.getByRole('table').evaluate((element) => element.scrollTo(0, 600))
  // The rows of the new place are drawn in a later frame.
  await until('other rows', async () => (await rowsOf(page).first().textContent()) !== newest)
  const before = await rowsOf(page).first().textContent()
  await write(
    call({ op_name: 'a new one', started_at: new Date().toISOString(), ended_at: new Date().toISOString() }),
  )
  await page.getByRole('button', { name: '1 new' }).waitFor()
  await expect.poll(() => rowsOf(page).first().textContent()).toBe(before)
  await page.getByRole('table').evaluate((element) => element.scrollTo(0, 0))
  await rowsOf(page).first().getByText('a new one').waitFor()
})

it('pages of long texts are small, and say how the texts begin and what was said last', async () => {
  const long = `flow/${hex(4)}`
  const text = 'x'.repeat(500_000)
  const messages = [
    { role: 'system', content: text },
    { role: 'user', content: `What is next? ${text}` },
  ]
  const batch = Array.from({ length: 5 }, () => ({
    ...complete(long),
    inputs: { messages },
    output: { text },
  }))
  await server.api.ok(v2(long, 'calls/complete'), { batch })
  const page = await visit('/')
  // The first page lists other calls.
  const lists = (asked: string, body: string | null) =>
    asked.endsWith('/calls/stream_query') && `${asked}${body}`.includes(long)
  const listed = page.waitForResponse((answer) => lists(answer.url(), answer.request().postData()))
  await page.goto(`/${long}/weave/traces`)
  expect((await (await listed).body()).length).toBeLessThan(100_000)
  await page.getByText('What is next?').first().waitFor()
})

it('two traces are compared', async () => {
  const page = await visit(`${table}?q=name:%22step+2%22`)
  for (const at of [0, 1]) await rowsOf(page).nth(at).getByLabel('Select').check()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare two calls' })
  await dialog.getByRole('heading', { name: 'inputs.n changed' }).waitFor()
  await dialog.getByText('− 242').waitFor()
  await dialog.getByText('+ 247').waitFor()
  await expect.poll(() => dialog.getByText('hay').count()).toBe(0)
  await inspect(page)
})

it('all that match are exported, put into a dataset and a queue, and deleted, and nothing is cut', async () => {
  await server.api.ok('/annotation_queues', {
    ...{ project_id: project, name: 'all of them', description: '', scorer_refs: [] },
  })
  const page = await visit(`${table}?cols=name,latency&q=inputs.n>=0`)
  page.removeAllListeners('dialog')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByText('250 traces').waitFor()
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Select all 250 that match' }).click()
  await page.getByText('250 selected').waitFor()
  await page.setViewportSize({ width: 800, height: 800 })
  const endOf = async () => {
    const { x, width } = (await page.getByRole('button', { name: 'Delete', exact: true }).boundingBox())!
    return x + width
  }
  await expect.poll(endOf).toBeLessThanOrEqual(800)
  await page.setViewportSize({ width: 1280, height: 800 })
  await inspect(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { inputs: { text: string } })
  expect(lines).toHaveLength(250)
  expect(lines.filter(({ inputs }) => inputs.text.length === 6_000)).toHaveLength(1)

  await page.getByRole('button', { name: 'Add to dataset' }).click()
  await page.getByPlaceholder('Name (an existing dataset').fill('all-of-them')
  await page.getByRole('button', { name: 'Add 250 rows' }).click()
  await page.getByText('Added.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByRole('combobox', { name: 'Queue' }).selectOption('all of them')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('250 added.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No trace matches').waitFor()
  await page.goto(`/${project}/weave/datasets/all-of-them`)
  await page.getByText('250 rows').waitFor()
})

it.each([
  { may: 'read', more: [], offered: [] },
  { may: 'annotate', more: [{ area: 'Annotation queues', right: 'write' }], offered: ['Add to queue'] },
])('who may only $may is offered no more', async ({ may, more, offered }) => {
  const grants = [{ right: 'read' }, ...more].map((grant) => ({ scope: project, ...grant }))
  const { key } = await server.api.ok('/keys', { label: may, grants })
  const page = await visit(table, String(key))
  await rowsOf(page).first().getByLabel('Select').check()
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: /Delete|Add to/ }).allTextContents())
    .toEqual(offered)
})

it('a question in words becomes a filter that is looked at before it is used, where a model is served', async () => {
  const provider = await Stub.start('chat-provider')
  onTestFinished(() => provider.stop())
  const own = `flow/${hex(4)}`
  const batch = [{}, { exception: 'KeyError' }].map((more) => ({ ...complete(own), ...more }))
  await server.api.ok(v2(own, 'calls/complete'), { batch })
  const page = await visit(`/${own}/weave/traces`)
  await page.getByText('2 traces').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Field').waitFor()
  await page.waitForLoadState('networkidle')
  const question = page.getByLabel('Question in words')
  await expect.poll(() => question.count()).toBe(0)

  const object = (object_id: string, builtin_object_class: string, val: object) =>
    server.api.ok('/obj/create', { obj: { project_id: own, object_id, builtin_object_class, val } })
  await object('stub', 'Provider', { base_url: provider.url, api_key_name: '' })
  for (const name of ['filterer', 'other'])
    await object(name, 'ProviderModel', { provider: 'stub', max_tokens: 500 })
  await page.reload()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Model that is asked').selectOption('other')
  await question.fill('refuse')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('I will not').waitFor()
  await inspect(page)
  await page.getByLabel('Model that is asked').selectOption('filterer')
  await question.fill('Which calls failed?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('status').getByText('status:error').waitFor()
  await page.getByText('2 traces').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Use this filter' }).click()
  await page.getByText('1 call', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('status:error')
  const seen = (await (await fetch(`${provider.url}/seen`)).json()) as { model: string; format: string }[]
  expect(seen.filter(({ model }) => model === 'filterer').map(({ format }) => format)).toEqual([
    'json_schema',
    'json_schema',
  ])
  // It is no call of the project.
  await page.goto(`/${own}/weave/traces?all=true`)
  await page.getByText('2 calls').waitFor()
})

it('a name stays in sight beside many columns, and a row may have three lines', async () => {
  const many = 'status,name,inputs,output,attributes.env,started_at,model,thread_id,trace_id'
  const page = await visit(`${table}?cols=${many}`)
  const row = rowsOf(page).first()
  const placeOf = async () => (await row.getByRole('link').boundingBox())!
  const before = await placeOf()
  await page.getByRole('table', { name: 'Traces' }).evaluate((one) => one.scrollTo({ left: 400 }))
  await until('the name where it was', async () => (await placeOf()).x === before.x)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('three lines a row').check()
  await until('a row of three lines', async () => (await row.boundingBox())!.height === 70)
  await inspect(page)
  await page.reload()
  await until('a row of three lines', async () => (await row.boundingBox())!.height === 70)
})

it('a view is saved, opened, replaced and deleted, by a name in any script', async () => {
  const ofViews = `flow/${hex(4)}`
  const calls = Array.from({ length: 25 }, (_, n) => complete(ofViews, { inputs: { n } }))
  await server.api.ok(v2(ofViews, 'calls/complete'), { batch: calls })
  const table = `/${ofViews}/weave/traces`
  const page = await visit(`${table}?q=inputs.n<10&cols=name,latency`)
  await page.getByText('10 traces').waitFor()
  const openViews = () => page.getByRole('button', { name: 'Views' }).click()
  const form = page.getByRole('dialog', { name: 'Saved views' })
  const save = async (name: string) => {
    await openViews()
    await page.getByRole('menuitem', { name: 'Save or delete a view…' }).click()
    await form.getByLabel('Name').fill(name)
    await form.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await save('Первые десять')
  await form.waitFor({ state: 'hidden' })
  await save('первые · десять!')
  await form.waitFor({ state: 'hidden' })
  // It would take the place of another view.
  await save('Первые-десять')
  await form.getByRole('alert').getByText('is there already').waitFor()
  await inspect(page)
  await form.getByRole('button', { name: 'Delete the view первые · десять!' }).click()
  await expect.poll(() => form.getByRole('button', { name: /^Delete the view/ }).count()).toBe(1)
  await form.getByRole('button', { name: 'Close' }).click()

  await page.goto(`${server.url}${table}?q=inputs.n<3`)
  await page.getByText('3 traces').waitFor()
  await openViews()
  await page.getByRole('menuitem', { name: 'Первые десять' }).click()
  await page.getByText('10 traces').waitFor()
  await page.goto(`${server.url}${table}?q=inputs.n<3`)
  await page.getByText('3 traces').waitFor()
  await save('Первые десять')
  await form.waitFor({ state: 'hidden' })
  await page.goto(`${server.url}${table}`)
  await page.getByText('25 traces').waitFor()
  await openViews()
  await page.getByRole('menuitem', { name: 'Первые десять' }).click()
  await page.getByText('3 traces').waitFor()
})
