import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow-${hex(4)}/refunds`

const now = () => new Date().toISOString()

beforeAll(async () => {
  const batch = ['answer', 'answer', 'other'].map((op_name) => ({
    ...complete(project),
    ...{ op_name, started_at: now(), ended_at: now(), output: "I'm sorry, but I can't help with that." },
  }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

it('a monitor is made from what it would match, stopped and deleted', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Monitors' }).click()
  await page.getByRole('heading', { name: 'No monitor yet' }).waitFor()
  await inspect(page)
  // What runs by itself is switched there and then, and stays so.
  const personal = page.getByLabel('There is personal data')
  await personal.click()
  await personal.and(page.locator(':enabled:not(:checked)')).waitFor()
  await page.reload()
  await personal.and(page.locator(':not(:checked)')).waitFor()
  await page.getByRole('button', { name: 'New monitor' }).click()
  await page.getByText('matched 3 calls').waitFor()
  await page.getByLabel('Ops, separated by commas').fill('answer')
  await page.getByText('matched 2 calls').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('refusals')
  await page.getByRole('dialog').getByLabel('The model refuses').check()
  await page.getByRole('dialog').getByLabel('There is no answer').check()
  // What it would say of them, before it is made.
  await expect.poll(() => page.getByText('refusal: true').count()).toBe(2)
  await inspect(page)
  await page.getByRole('button', { name: 'Make the monitor' }).click()
  const row = page.getByRole('row', { name: /^refusals/ })
  await row.getByText('On', { exact: true }).waitFor()

  // What it matches is changed in the same form, and kept.
  const choose = async (what: string) => {
    await page.getByRole('button', { name: 'Change refusals' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  const condition = page.getByLabel(/^Only those that match/)
  await choose('Edit')
  await page.getByText('matched 2 calls').waitFor()
  await condition.fill('status:error')
  await page.getByText('matched 0 calls').waitFor()
  await condition.fill('status:success')
  await page.getByText('matched 2 calls').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Save the monitor' }).click()
  await condition.waitFor({ state: 'detached' })
  await choose('Edit')
  await expect.poll(() => condition.inputValue()).toBe('status:success')
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await page.getByLabel('refusals scores calls').click()
  await row.getByText('Off', { exact: true }).waitFor()
  await inspect(page)

  // What it said of two answers, and people of both.
  const { calls } = await server.api.ok('/calls/query', {
    project_id: project,
    filter: { op_names: ['answer'] },
  })
  for (const [i, { id }] of (calls as { id: string }[]).entries()) {
    const about = { project_id: project, weave_ref: `weave:///${project}/call/${id}` }
    const ref = (name: string) => `weave:///${project}/object/${name}:${'v'.repeat(43)}`
    await server.api.ok('/feedback/create', {
      ...{ ...about, feedback_type: 'wandb.runnable.refusal', payload: { output: { value: true } } },
      ...{ runnable_ref: ref('refusal'), trigger_ref: ref('refusals') },
    })
    const thumb = { feedback_type: 'wandb.reaction.1', payload: { emoji: i === 0 ? '👍' : '👎' } }
    await server.api.ok('/feedback/create', { ...about, ...thumb })
  }
  // And what a score cost.
  const usage = { judge: { prompt_tokens: 4, completion_tokens: 0, requests: 1 } }
  await server.api.ok('/cost/create', {
    ...{ project_id: project, costs: { judge: { prompt_token_cost: 0.5, completion_token_cost: 0 } } },
  })
  const attributes = { weave: { monitor: `weave:///${project}/object/refusals:${'v'.repeat(43)}` } }
  const score = { ...complete(project), started_at: now(), ended_at: now(), attributes, summary: { usage } }
  await server.api.ok(v2(project, 'calls/complete'), { batch: [score] })
  // Scores are columns and filters of traces.
  const traces = await visit(`/${project}/weave/traces?all=true`)
  await traces.getByRole('button', { name: 'Columns' }).click()
  await traces.getByRole('button', { name: 'refusal value' }).click()
  await traces.keyboard.press('Escape')
  const column = traces.getByRole('columnheader', { name: 'refusal value' })
  await column.click()
  await traces.getByRole('row').filter({ hasText: 'true' }).nth(1).waitFor()
  await traces.goto(
    `${traces.url()}&q=${encodeURIComponent('feedback.[wandb.runnable.refusal].payload.output.value:true')}`,
  )
  await expect.poll(() => traces.getByRole('row').filter({ hasText: 'true' }).count()).toBe(2)
  await expect.poll(() => traces.getByRole('row').count()).toBe(3)
  await inspect(traces)
  await traces.context().close()

  await page.getByRole('button', { name: 'Scores of refusals over time' }).click()
  const chart = page.getByRole('figure', { name: 'refusal over time' })
  await chart.getByText('100 %').first().waitFor()
  await page.getByRole('figure', { name: 'Cost over time' }).waitFor()
  await inspect(page)
  // The address has it.
  await page.reload()
  await chart.waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await chart.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Compare refusals with people' }).click()
  await page.getByText('They agree on 1 of 2 calls (50 %)').waitFor()
  await inspect(page)
  await page.getByLabel('Scorer').selectOption('no_answer')
  await page.getByText('There is no call of the last 30 days that both judged.').waitFor()
  await page.getByLabel('Scorer').selectOption('refusal')
  await page.getByRole('button', { name: 'Add the calls on which they differ' }).click()
  await page.getByLabel('Dataset', { exact: true }).fill('differ')
  await page.getByRole('button', { name: /^Add/ }).click()
  await page.getByText('Added.').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await choose('Delete')
  await inspect(page)
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { name: 'No monitor yet' }).waitFor()
})
