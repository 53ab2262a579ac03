/**
 * Names as long and as odd as the service takes them: each thing opens from its list, by reload, back and forward, and
 * no screen is wider than a phone.
 */
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { exportRequest } from '../../test/support/otlp.js'
import { inspect, server, visit } from './browser.js'

const PHONE = { width: 390, height: 800 }
const odd = (length: number) =>
  `/a//b?c=1#d 100% %2F 🙂 $e {f} "<g>'\\ ~ ${'w'.repeat(length)}`.slice(0, length)
const entity = `flow${hex(4)}`
const name = `ö?#100%-$x-${'p'.repeat(180)}`
const project = `${entity}/${name}`
const weave = `/${entity}/${encodeURIComponent(name)}/weave`
/** The header that names a project can't hold every name. */
const spans = `/${entity}/agents/weave`
const WORD = 'v'.repeat(256)
const OBJECT = 'o'.repeat(127)
const [THREAD, CALL, OP] = [odd(256), odd(128), odd(128)]
const AGENT = `agent ${odd(250)}`

async function publish(object_id: string, type: string, fields: object, base = type) {
  const val = { _type: type, _class_name: type, _bases: [base, 'Object', 'BaseModel'], name: WORD, ...fields }
  await server.api.ok('/obj/create', { obj: { project_id: project, object_id, val } })
}

beforeAll(async () => {
  const said = {
    op_name: OP,
    display_name: WORD,
    inputs: { model: WORD, [WORD]: WORD, messages: [{ role: 'user', content: WORD }] },
    output: { choices: [{ message: { role: 'assistant', content: `${WORD}\n\n    ${WORD}` } }] },
    attributes: { [WORD]: WORD },
    summary: { usage: { [WORD]: { prompt_tokens: 1, completion_tokens: 1, requests: 1 } } },
  }
  const batch = [
    { ...complete(project), ...said, id: CALL, trace_id: CALL, turn_id: CALL, thread_id: THREAD },
    { ...complete(project), op_name: 'failing', exception: `${WORD}: ${WORD}\n  File "${WORD}"` },
    { ...complete(project), op_name: 'Evaluation.evaluate', display_name: WORD, attributes: {} },
  ]
  const path = `/v2/${entity}/${encodeURIComponent(name)}/calls/complete`
  await server.api.ok(path, { batch })

  const at = (seconds: number) => BigInt(Date.now() - 60_000 + 1000 * seconds) * 1_000_000n
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': AGENT,
    'gen_ai.request.model': WORD,
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: WORD }] }]),
  }
  const span = { traceId: hex(16), spanId: hex(8), name: `invoke_agent ${WORD}`, attributes }
  const body = Buffer.from(exportRequest({ spans: [{ ...span, start: at(0), end: at(1) }] }))
  const headers = { 'content-type': 'application/x-protobuf', project_id: `${entity}/agents` }
  await server.api.send('POST', '/agents/otel/v1/traces', body, headers)

  const rows = [{ [WORD]: WORD, [OBJECT]: 1 }]
  const { digest } = await server.api.ok('/table/create', { table: { project_id: project, rows } })
  await publish('..', 'Dataset', { rows: `weave:///${project}/table/${String(digest)}` })
  await publish(`p${OBJECT}`, 'StringPrompt', { content: WORD }, 'Prompt')
  await publish(`l${OBJECT}`, 'Leaderboard', { description: WORD, columns: [] })
  await publish(`d${OBJECT}`, 'Dashboard', { range: '24h', panels: [] })
  await server.api.ok('/annotation_queues', {
    project_id: project,
    name: WORD,
    description: WORD,
    scorer_refs: [],
  })
})

/** What is wider than the window: the page, or a box that nothing scrolls. Tables may scroll in their own. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const boxes = [
      document.documentElement,
      ...document.querySelectorAll('.shell-top, .shell-main, .page, .page-head'),
    ]
    const bodies = [...document.querySelectorAll('.page-body, [role=region]')].filter(
      (one) => one.querySelector('table') === null,
    )
    return [...boxes, ...bodies]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName}.${one.className}: ${one.scrollWidth} of ${one.clientWidth}`)
  })

/** Lists, and for each what opens a thing of it and what the screen of the thing is headed. */
const LISTS: [path: string, link: string, heading: string, of?: string][] = [
  ['threads', `${WORD} ${THREAD}`, THREAD],
  ['agents', AGENT, AGENT, spans],
  ['datasets', '..', '..'],
  ['objects?type=Prompt', `p${OBJECT}`, `p${OBJECT}`],
  ['leaderboards', `l${OBJECT}`, WORD],
  ['queues', WORD, WORD],
]

it.each(LISTS)('%s', async (path, link, heading, of = weave) => {
  const page = await visit(`${of}/${path}`, undefined, PHONE)
  const inList = page.getByRole('link', { name: link, exact: true })
  const headed = page.getByRole('heading', { name: heading, exact: true })
  await inList.waitFor()
  expect(await tooWide(page)).toEqual([])
  await inList.click()
  await headed.waitFor()
  expect(await tooWide(page)).toEqual([])
  await page.reload()
  await headed.waitFor()
  await page.goBack()
  await inList.waitFor()
  await page.goForward()
  await headed.waitFor()
  await inspect(page)
})

/** Screens that no list leads to, and what each shows. */
const SCREENS: [screen: string, path: string, text: string][] = [
  ['home', '/', project],
  ['keys', '/settings', 'Make a key'],
  ['traces', `${weave}/traces`, 'failing'],
  ['a call', `/${entity}/${encodeURIComponent(name)}/r/call/${encodeURIComponent(CALL)}`, 'Conversation'],
  ['the playground', `${weave}/playground?call=${encodeURIComponent(CALL)}`, 'Its answer comes here'],
  ['training', `${weave}/training`, 'Training'],
  ['a new job', `${weave}/training/new`, 'New or existing model'],
  ['settings', `${weave}/settings`, 'Days that calls are kept'],
  ['evaluations', `${weave}/evaluations`, 'Leaderboards'],
  ['the dashboard', `${weave}/dashboards`, 'Tokens by model'],
  ['a dashboard of one’s own', `${weave}/dashboards/d${OBJECT}`, 'Add a panel'],
]

it.each(SCREENS)('%s', async (_, path, text) => {
  const page = await visit(path, undefined, PHONE)
  await page.getByText(text).first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(await tooWide(page)).toEqual([])
  await inspect(page)
})
