/** Every link that an SDK prints opens a page that shows that thing. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { hex } from '../../test/support/ids.js'
import { exportRequest } from '../../test/support/otlp.js'
import { runText } from '../../test/support/program.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
/** The SDK leaves its slashes as they are. */
const CONVERSATION = 'https://shop/order 4471?a=1#é/%2F/'

const PYTHON = `
import asyncio, os, sys
os.dup2(1, 2)
import weave
from weave import Dataset, Evaluation, EvaluationLogger, StringPrompt
from weave.flow.leaderboard import Leaderboard, LeaderboardColumn
from weave.flow.saved_view import SavedView
from weave.trace import urls

client = weave.init('${project}')

@weave.op
def inner(x: int) -> dict:
    return {'doubled': 2 * x}

@weave.op
def outer(x: int) -> dict:
    return inner(x)

@weave.op
def right(expected: int, output: dict) -> bool:
    return output['doubled'] == expected

outer(21)
weave.publish(outer)
weave.publish({'text': 'some words'}, 'a thing')
weave.publish(StringPrompt('Say {what}.'), 'how-to')
rows = weave.publish(Dataset(name='numbers', rows=[{'x': 4, 'expected': 8}]))
evaluation = Evaluation(name='sums', dataset=weave.ref(rows.uri).get(), scorers=[right])
ref = weave.publish(evaluation)
asyncio.run(evaluation.evaluate(outer))
column = {'evaluation_object_ref': ref.uri, 'scorer_name': 'right', 'summary_metric_path': 'true_fraction'}
weave.publish(Leaderboard(name='best', description='Who adds well.', columns=[LeaderboardColumn(**column)]))
logger = EvaluationLogger(name='by-hand', model='by-hand-model', dataset='by-hand-data')
logger.log_example({'x': 1}, {'doubled': 2}, {'right': True})
logger.log_summary({})
print('LOGGER', logger.ui_url)
for view in ('traces', 'evaluations'):
    saved = SavedView(view, 'Doubles').filter_op('inner').add_filter('inputs.x', '=', 21).set_columns('op_name', 'output.doubled')
    saved.save()
    print(view.upper(), saved.ui_url())
print('TALK', urls.agent_conversation_path(client.entity, client.project, '${CONVERSATION}'))
client.finish()`

const NODE = `
import * as weave from 'weave'
const client = await weave.init('${project}')
const shout = weave.op(async function shout(text) { return text.toUpperCase() })
await shout('loud')
const op = await client.publish(shout, 'shout')
await client.waitForBatchProcessing()
const thing = new weave.Dataset({ id: 'words', rows: [{ word: 'loom' }] })
await thing.save()
const { objectId, digest } = await thing.__savedRef
console.log('OP', op.ui_url())
console.log('OBJECT', new weave.ObjectRef('${project}', objectId, digest).ui_url())`

let printed: { python: string; js: string }
beforeAll(async () => {
  const env = { WEAVE_PRINT_CALL_LINK: 'true' }
  const at = (seconds: number) => BigInt(Date.now() - 60_000 + 1000 * seconds) * 1_000_000n
  const attributes = { 'gen_ai.conversation.id': CONVERSATION, 'gen_ai.agent.name': 'Weather' }
  const span = { traceId: hex(16), spanId: hex(8), name: 'invoke_agent Weather', attributes }
  const body = Buffer.from(exportRequest({ spans: [{ ...span, start: at(0), end: at(1) }] }))
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  await server.api.send('POST', '/agents/otel/v1/traces', body, headers)
  const python = await runText(server, 'python', PYTHON, env)
  printed = { python, js: await runText(server, 'js', NODE, env) }
})

const header = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor()
const rows = (page: Page) => page.getByRole('rowgroup').getByRole('row')

it.each<[string, 'python' | 'js', RegExp, (page: Page) => Promise<unknown>]>([
  [
    'the project',
    'python',
    /View Weave data at (\S+)/,
    (page) => rows(page).filter({ hasText: 'outer' }).first().waitFor(),
  ],
  [
    'a call',
    'python',
    /(http\S+\/r\/call\/\S+)/,
    async (page) => {
      await page.getByRole('treeitem', { name: 'outer' }).waitFor()
      await page.keyboard.press('j')
      await header(page, 'inner')
      await page.getByText('42', { exact: true }).waitFor()
    },
  ],
  ['an op', 'python', /Published to (\S+\/ops\/\S+)/, (page) => page.getByText('return inner(x)').waitFor()],
  [
    'an object',
    'python',
    /Published to (\S+\/objects\/a\S+)/,
    (page) => page.getByText('some words').waitFor(),
  ],
  [
    'a prompt',
    'python',
    /Published to (\S+\/objects\/how-to\S+)/,
    (page) => page.getByText('Say {what}.').waitFor(),
  ],
  [
    'a dataset',
    'python',
    /Published to (\S+\/objects\/numbers\S+)/,
    (page) =>
      page.getByRole('table', { name: 'numbers' }).getByRole('cell', { name: '8', exact: true }).waitFor(),
  ],
  ['an evaluation', 'python', /Published to (\S+\/objects\/sums\S+)/, (page) => header(page, 'sums')],
  [
    'a leaderboard',
    'python',
    /Published to (\S+\/leaderboards\/\S+)/,
    async (page) => {
      await header(page, 'best')
      await page.getByText('Who adds well.').waitFor()
      await page.getByRole('table', { name: 'Ranking' }).getByText('outer').waitFor()
    },
  ],
  ['a logged evaluation', 'python', /LOGGER (\S+)/, (page) => page.getByRole('treeitem').first().waitFor()],
  ['a view of traces', 'python', /TRACES (\S+)/, viewed],
  ['a view of evaluations', 'python', /EVALUATIONS (\S+)/, viewed],
  ['a conversation', 'python', /TALK (\S+)/, (page) => header(page, CONVERSATION)],
  [
    'a call of JavaScript',
    'js',
    /(http\S+\/r\/call\/\S+)/,
    (page) => page.getByText('LOUD').first().waitFor(),
  ],
  ['an op of JavaScript', 'js', /OP (\S+)/, (page) => page.getByText('toUpperCase').waitFor()],
  ['an object of JavaScript', 'js', /OBJECT (\S+)/, (page) => page.getByText('loom').waitFor()],
])('%s', async (_, from, link, isShown) => {
  const [, found] = link.exec(printed[from]) ?? []
  expect(found, `${link} in ${printed[from]}`).toBeDefined()
  // Links of the npm SDK begin with https, whatever the server speaks.
  const { pathname, search } = new URL(found!)
  const page = await visit(pathname + search)
  await isShown(page)
  await inspect(page)
})

/** The call of `inner` alone, with the columns of the view. */
async function viewed(page: Page): Promise<void> {
  await page.getByRole('columnheader', { name: 'output.doubled' }).waitFor()
  await page.getByText('1 call', { exact: true }).waitFor()
  await rows(page).getByRole('cell', { name: '42', exact: true }).waitFor()
}
