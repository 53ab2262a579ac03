import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const ROWS = 2_500

async function publish(id: string, className: string, base: string, fields: object): Promise<string> {
  const val = { _type: className, _class_name: className, _bases: [base, 'Object', 'BaseModel'], ...fields }
  const { digest } = await server.api.ok('/obj/create', { obj: { project_id: project, object_id: id, val } })
  return String(digest)
}

async function dataset(rows: object[]): Promise<string> {
  const { digest } = await server.api.ok('/table/create', { table: { project_id: project, rows } })
  return publish('questions', 'Dataset', 'Dataset', {
    name: 'questions',
    rows: `weave:///${project}/table/${digest}`,
  })
}

const prompts: string[] = []
beforeAll(async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    question: `What is ${i} + 1?`,
    answer: { sum: i + 1 },
  }))
  await dataset(rows.slice(0, 10))
  await dataset([...rows.slice(1), { question: 'Who, "exactly"?', answer: { sum: 0 } }])
  for (const content of ['Be kind.\nBe short.', 'Be kind.\nBe exact.'])
    prompts.push(await publish('greeting', 'StringPrompt', 'Prompt', { name: 'greeting', content }))
  await publish('<img src=x onerror=alert(1)>'.replaceAll(/\W/g, ''), 'Thing', 'Thing', {
    text: '<img src=x onerror=alert(1)>',
  })
})

it('objects are found by name and type, and opened', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Objects' }).click()
  await page.getByText('3 shown').waitFor()
  await inspect(page)
  await page.getByLabel('Type').selectOption('Prompt')
  await page.getByText('1 shown').waitFor()
  await page.reload()
  await page.getByText('1 shown').waitFor()
  await page.getByRole('link', { name: 'greeting' }).click()
  await page.getByRole('tab', { name: 'Text', selected: true }).waitFor()
  await page.goBack()
  await page.getByLabel('Type').selectOption('')
  await page.keyboard.press('Escape')
  await page.getByLabel('Find by name').fill('quest')
  await page.getByText('1 shown').waitFor()
})

it('a link of an SDK opens a version, which is compared with another', async () => {
  const page = await visit(`/${project}/weave/objects/greeting/versions/${prompts[0]}`)
  await page.getByText('Be short.').waitFor()
  await page.getByRole('heading', { name: 'greeting' }).waitFor()
  await page.getByRole('navigation', { name: 'Versions' }).getByText('v1').waitFor()
  await page.keyboard.press('k')
  await page.getByText('Be exact.').waitFor()
  await page.getByRole('tab', { name: 'Compare', exact: true }).click()
  await page.getByText('− Be short.').waitFor()
  await page.getByText('+ Be exact.').waitFor()
  await inspect(page)
  await page.reload()
  await page.getByText('+ Be exact.').waitFor()
})

it('a version has tags, and an alias that moves to another', async () => {
  const page = await visit(`/${project}/weave/objects/greeting/versions/${prompts[0]}`)
  const versions = page.getByRole('navigation', { name: 'Versions' })
  await page.getByRole('button', { name: 'Tags and aliases' }).click()
  const add = async (kind: string, name: string) => {
    await page.getByLabel('Tag or alias').fill(name)
    await page.getByLabel('Kind').selectOption(kind)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await versions.getByRole('link').nth(1).getByText(name).waitFor()
  }
  await add('tag', 'tried')
  await add('alias', 'production')
  await inspect(page)
  await page.getByRole('button', { name: 'Remove the tag tried' }).click()
  await versions.getByText('tried').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.getByText('Be exact.').waitFor()
  await page.getByRole('button', { name: 'Tags and aliases' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Remove the alias latest' }).count()).toBe(0)
  await page.getByLabel('Tag or alias').fill('production')
  await page.getByLabel('Kind').selectOption('alias')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await versions.getByRole('link').nth(0).getByText('production').waitFor()
  await expect.poll(() => versions.getByText('production').count()).toBe(1)
})

it('the rows of a dataset are read as one scrolls, compared, and saved as files', async () => {
  const page = await visit(`/${project}/weave/datasets`)
  await page.getByRole('link', { name: 'questions' }).click()
  await page.getByText('2,500 rows').waitFor()
  const grid = page.getByRole('table', { name: 'questions' })
  await grid.getByRole('cell', { name: 'What is 1 + 1?' }).waitFor()
  await inspect(page)
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await grid.getByRole('cell', { name: 'Who, "exactly"?' }).waitFor()
  await grid.getByRole('button', { name: `Open row ${ROWS}` }).click()
  await page.getByRole('complementary').getByText('exactly').waitFor()
  await inspect(page)
  const files = []
  for (const name of ['JSONL', 'CSV']) {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ])
    files.push(await readFile(await file.path(), 'utf8'))
  }
  const [lines, table] = files.map((text) => text.trimEnd().split('\n'))
  expect(lines).toHaveLength(ROWS)
  expect(JSON.parse(lines![0]!)).toEqual({ question: 'What is 1 + 1?', answer: { sum: 2 } })
  expect(table![0]).toBe('question,answer.sum\r')
  expect(table!.at(-1)).toBe('"Who, ""exactly""?",0')
  await page.getByRole('tab', { name: 'Compare', exact: true }).click()
  await page.getByText('2491 rows added, 1 removed').waitFor()
  await inspect(page)
})

it('an op has its code, and what changed in it', async () => {
  for (const answer of [1, 2]) {
    const source_code = `def answer():\n    return ${answer}\n`
    await server.api.ok(`/v2/${project}/ops`, { name: 'answer', source_code })
  }
  const page = await visit(`/${project}/weave/ops/answer`)
  await page.getByRole('tab', { name: 'Code', selected: true }).waitFor()
  await page.getByText('return 2').waitFor()
  await page.getByRole('tab', { name: 'Compare', exact: true }).click()
  await page.getByText('−     return 1').waitFor()
  await page.getByText('+     return 2').waitFor()
  await inspect(page)
})

it('a prompt is found with its uses, compared by version, and saved as the next version', async () => {
  const call = (version: string, error?: string): Record<string, unknown> => ({
    ...complete(project, { started_at: new Date().toISOString(), ended_at: new Date().toISOString() }),
    ...{ op_name: 'greet', prompt_name: 'greeting', prompt_version: version },
    ...(error && { exception: error }),
  })
  const calls = [call('v1'), call('v1', 'down'), call('1'), call('draft')]
  await server.api.ok(v2(project, 'calls/complete'), { batch: calls })
  const scored = { project_id: project, feedback_type: 'wandb.runnable.kind', payload: { output: 0.5 } }
  const runnable_ref = `weave:///${project}/object/kind:v0`
  const ref = `weave:///${project}/call/${calls[0]!.id}`
  await server.api.ok('/feedback/create', { ...scored, weave_ref: ref, runnable_ref })

  const page = await visit(`/${project}/weave/prompts`)
  const row = page.getByRole('row', { name: /greeting/ })
  await row.getByText('25 %').waitFor()
  await inspect(page)
  await row.getByRole('link', { name: 'greeting' }).click()
  await page.getByRole('tab', { name: 'Metrics' }).click()
  const versions = page.getByRole('table', { name: 'By version' })
  await versions.getByRole('row', { name: /v1 (production )?2 50 % .* 0\.500/ }).waitFor()
  await versions.getByRole('row', { name: /v0 1 (production )?1 0 %/ }).waitFor()
  await versions.getByRole('row', { name: /draft 1/ }).waitFor()
  await inspect(page)
  await versions
    .getByRole('row', { name: /v1 .*50 %/ })
    .getByRole('link', { name: '2', exact: true })
    .click()
  await page.waitForURL(/prompt_version/)
  await page.getByText('down').first().waitFor()
  await page.goBack()

  await page.getByRole('tab', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Message 1' }).fill('Be kind.\nBe exact.\nBe quick.')
  await page.getByRole('button', { name: 'Save as the next version' }).click()
  await page.getByRole('navigation', { name: 'Versions' }).getByText('v2').waitFor()
  await page.getByText('Be quick.').waitFor()
})
