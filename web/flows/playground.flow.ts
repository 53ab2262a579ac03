import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { Stub } from '../../test/support/stub.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const callId = uuid7()
let provider: Stub

beforeAll(async () => {
  provider = await Stub.start('chat-provider')
  const object = (object_id: string, builtin_object_class: string, val: object) =>
    server.api.ok('/obj/create', { obj: { project_id: project, object_id, builtin_object_class, val } })
  await object('stub', 'Provider', { base_url: provider.url, api_key_name: '' })
  await object('small', 'ProviderModel', { provider: 'stub', max_tokens: 100 })
  const rows = ['Rome', 'Oslo'].map((city) => ({ city }))
  const { digest } = await server.api.ok('/table/create', { table: { project_id: project, rows } })
  const val = { _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'], name: 'cities' }
  await server.api.ok('/obj/create', {
    obj: {
      project_id: project,
      object_id: 'cities',
      val: { ...val, rows: `weave:///${project}/table/${digest}` },
    },
  })
  const traced = {
    ...complete(project),
    id: callId,
    inputs: {
      model: 'stub/big',
      messages: [{ role: 'user', content: 'say **Hello** {name}' }],
      temperature: 0.5,
    },
    output: { choices: [{ message: { role: 'assistant', content: 'Hello' } }] },
  }
  await server.api.post(v2(project, 'calls/complete'), { batch: [traced] })
})
afterAll(() => provider.stop())

it('a traced call is tried again on two models, side by side, and saved as a prompt', async () => {
  const page = await visit(`/${project}/r/call/${callId}`)
  await page.getByRole('link', { name: 'Try again with…' }).click()
  await page.getByRole('textbox', { name: 'Message 1' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Message 1' }).inputValue()).toBe('say **Hello** {name}')
  expect(await page.getByLabel('Temperature').inputValue()).toBe('0.5')
  await page.getByLabel('Max tokens').fill('50')
  await page.getByText('All as JSON').click()
  const sent = JSON.parse(await page.getByLabel('Settings').inputValue())
  expect(sent).toEqual({ temperature: 0.5, max_tokens: 50 })
  expect(await page.getByLabel('Model 1', { exact: true }).inputValue()).toBe('stub/big')
  await page.getByLabel('name', { exact: true }).fill('Ada and all')
  await page.getByRole('button', { name: 'Another model' }).click()
  await page.locator('datalist option[value=small]').waitFor({ state: 'attached' })
  await page.getByLabel('Model 2', { exact: true }).fill('small')
  await inspect(page)
  // The draft is there after a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  for (const number of [1, 2]) {
    const answer = page.getByRole('region', { name: `Answer ${number}` })
    await answer.getByText('Hello Ada and all').waitFor()
    await answer.getByText('10 in, 2 out').waitFor()
    expect(await answer.locator('strong').textContent()).toBe('Hello')
  }
  await inspect(page)
  await page.getByRole('button', { name: 'Save as prompt' }).click()
  await page.getByLabel('Name', { exact: true }).fill('greeting')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: /^greeting/ }).click()
  await page.getByRole('heading', { name: 'greeting' }).waitFor()
  await page.getByRole('link', { name: 'Open in the playground' }).click()
  expect(await page.getByRole('textbox', { name: 'Message 1' }).inputValue()).toBe('say **Hello** {name}')
  // Changed, it becomes the next version of the prompt that it comes from.
  await page.getByRole('textbox', { name: 'Message 1' }).fill('say Good day {{name}}')
  await page.getByRole('button', { name: 'Save as prompt' }).click()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('greeting')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: /^greeting/ }).click()
  await page.getByRole('heading', { name: 'greeting' }).waitFor()
  await page.getByText('say Good day {{name}}').first().waitFor()
})

it('a provider is described, and a tool that its model calls is answered by hand', async () => {
  const page = await visit(`/${project}/weave/playground`)
  await page.getByRole('button', { name: 'Providers…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Providers of models' })
  await dialog.getByRole('button', { name: 'Add a provider' }).click()
  await dialog.getByLabel('Kind').selectOption('OpenAI')
  await dialog.getByText('heddle secrets set').waitFor()
  await inspect(page)
  await dialog.getByLabel('Name').fill('mine')
  await dialog.getByLabel('Base address').fill(provider.url)
  await dialog.getByLabel('Secret').fill('')
  await dialog.getByLabel('Models').fill('one\nteam/two')
  await dialog.getByRole('button', { name: 'Save the provider' }).click()
  await dialog.getByRole('row', { name: /^mine/ }).getByText('2 models').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await page.locator('datalist option[value="mine/team/two"]').waitFor({ state: 'attached' })

  await page.getByLabel('Model 1', { exact: true }).fill('mine/team/two')
  await page.getByRole('textbox', { name: 'Message 1' }).fill('call weather')
  await page.getByRole('button', { name: 'Add a tool' }).click()
  const tools = page.getByLabel('Tools')
  await expect.poll(() => tools.inputValue()).toContain('tool_1')
  await tools.fill((await tools.inputValue()).replace('"name": "tool_1"', '"name": "the weather"'))
  await page.getByText('its name may have letters').waitFor()
  await tools.fill((await tools.inputValue()).replace('the weather', 'weather'))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const answer = page.getByRole('region', { name: 'Answer 1' })
  await answer.getByLabel('Result of weather').fill('say It is mild')
  await inspect(page)
  await answer.getByRole('button', { name: 'Go on with the results' }).click()
  await answer.getByText('It is mild').waitFor()
  expect(await page.getByLabel('Message 3 as JSON').inputValue()).toContain('call_a')
})

it('what a model refuses is shown, and its call can be opened', async () => {
  const page = await visit(`/${project}/weave/playground?model=stub/big`)
  await page.getByRole('textbox', { name: 'Message 1' }).fill('refuse')
  await page.getByLabel('Tools').fill('{')
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
  await page.getByLabel('Tools').fill('')
  await page.keyboard.press('Control+Enter')
  const answer = page.getByRole('region', { name: 'Answer 1' })
  await answer.getByRole('alert').getByText('I will not').waitFor()
  await inspect(page)
  await answer.getByRole('link', { name: 'Its call' }).click()
  await page.getByRole('region', { name: 'The call' }).getByText('refuse').first().waitFor()
})

it('a draft is run over the rows of a dataset', async () => {
  const page = await visit(`/${project}/weave/playground?model=stub/big`)
  await page.getByRole('textbox', { name: 'Message 1' }).fill('say I love {{town}}')
  await page.getByRole('tab', { name: 'Over a dataset' }).click()
  await page.getByLabel('Dataset').selectOption('cities')
  await page.getByLabel('Column of town').selectOption('city')
  await page.getByRole('button', { name: 'Run over rows' }).click()
  const rows = page.getByRole('table', { name: 'Answers by row' })
  await rows.getByText('I love Rome').waitFor()
  await rows.getByText('I love Oslo').waitFor()
  await page.getByText('2 of 2 answered').waitFor()
  await page.getByText('Evaluate all rows').click()
  await page.getByLabel('Evaluation').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Start the evaluation' }).click()
  await page.getByText('All rows are done.').waitFor()
  await page.getByRole('link', { name: 'Results' }).click()
  const results = page.getByRole('rowgroup', { name: 'Rows of Rows' })
  await results.getByText('I love Rome').waitFor()
  await results.getByText('I love Oslo').waitFor()
})
