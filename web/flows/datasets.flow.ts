import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { dig, type Row } from '../../test/support/api.js'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { root } from '../../test/support/root.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`

beforeAll(async () => {
  const batch = [1, 2].map((n) => ({
    ...complete(project),
    inputs: { question: `What is ${n}?`, extra: 'no' },
    output: { sum: n },
  }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

it('traces become rows, by columns that one chooses', async () => {
  const page = await visit(`/${project}/weave/traces`)
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Add to dataset' }).click()
  await page.getByLabel('Dataset', { exact: true }).fill('sums')
  await page.getByRole('button', { name: 'Remove column 2' }).click()
  await page.getByLabel('Path of column 2').fill('output.sum')
  await page.getByLabel('Name of column 2').fill('answer')
  await inspect(page)
  await page.getByRole('button', { name: 'Add 2 rows' }).click()
  await page.getByRole('link', { name: 'Open sums' }).click()
  const grid = page.getByRole('table', { name: 'sums' })
  await grid.getByRole('cell', { name: 'What is 1?' }).waitFor()
  await expect.poll(() => grid.getByRole('columnheader').allInnerTexts()).toEqual(['#', 'question', 'answer'])
})

it('large values become whole rows, of however many traces', async () => {
  const large = `flow/${hex(4)}`
  const text = 'x'.repeat(1_100_000)
  const batch = Array.from({ length: 11 }, () => ({ ...complete(large), inputs: { text }, output: 1 }))
  await server.api.ok(v2(large, 'calls/complete'), { batch })
  const page = await visit(`/${large}/weave/traces`)
  await page.getByText('1.1 MB: open the call to see it').first().waitFor()
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Add to dataset' }).click()
  await page.getByLabel('Dataset', { exact: true }).fill('large')
  await page.getByRole('button', { name: 'Add 11 rows' }).click()
  await page.getByRole('link', { name: 'Open large' }).waitFor()
  const { objs } = await server.api.ok('/objs/query', {
    project_id: large,
    filter: { object_ids: ['large'] },
  })
  const rows = String(dig(objs, 0, 'val', 'rows'))
  const read = await server.api.ok('/table/query', { project_id: large, digest: rows.split('/').at(-1) })
  expect((read.rows as Row[]).map(({ val }) => dig(val, 'text') === text)).toEqual(Array(11).fill(true))
})

it('a file becomes a dataset, whose rows are changed, removed and added to a new version', async () => {
  const page = await visit(`/${project}/weave/datasets`)
  await page.getByRole('button', { name: 'New dataset' }).click()
  await page.getByLabel('Name', { exact: true }).fill('capitals')
  await page.getByLabel('or its text').fill('country,city\nItaly')
  await page.getByRole('alert').getByText('1 cells').waitFor()
  const csv = 'country,city\nItaly,Rome\nNorway,Oslo\n"Bosnia and\nHerzegovina",Sarajevo\n'
  await page
    .getByLabel('File: ')
    .setInputFiles({ name: 'capitals.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('3 rows: country, city').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('3 rows', { exact: true }).waitFor()
  const grid = page.getByRole('table', { name: 'capitals' })
  await grid.getByRole('button', { name: 'Open row 1' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'The row' }).fill('{"country": "Italy", "city": "Roma"')
  expect(await page.getByRole('button', { name: 'Change' }).isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'The row' }).fill('{"country": "Italy", "city": "Roma"}')
  await inspect(page)
  await page.getByRole('button', { name: 'Change' }).click()
  await grid.getByRole('cell', { name: 'Roma' }).waitFor()
  await grid.getByRole('button', { name: 'Open row 2' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Row', exact: true }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'The row' }).fill('{"country": "Japan", "city": "Tokyo"}')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByText('3 changed').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await page.getByText('v1', { exact: true }).first().waitFor()
  await page.getByText('3 changed').waitFor({ state: 'detached' })
  await grid.getByRole('cell', { name: 'Tokyo' }).waitFor()
  const cities = () =>
    grid
      .getByRole('cell')
      .filter({ hasText: /Rom|Oslo|Sara|Tok/ })
      .allInnerTexts()
  expect(await cities()).toEqual(['Roma', 'Sarajevo', 'Tokyo'])

  await page.getByRole('button', { name: 'Add from a file' }).click()
  await page.getByLabel('or its text').fill('{"country":"Chile","city":"Santiago"}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('4 rows', { exact: true }).waitFor()
  await page.reload()
  await grid.getByRole('cell', { name: 'Santiago' }).waitFor()
})

it('a Parquet file becomes a dataset', async () => {
  const page = await visit(`/${project}/weave/datasets`)
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('File: ').setInputFiles({ name, mimeType: '', buffer })
  const whole = readFileSync(join(root, 'web/src/ui/parquet/files/zstd.parquet'))
  await page.getByRole('button', { name: 'New dataset' }).click()
  await page.getByLabel('Name', { exact: true }).fill('from-parquet')
  await choose('cut.parquet', whole.subarray(0, 1000))
  await page.getByRole('alert').getByText('Make JSON lines of it').waitFor()
  await choose('whole.parquet', whole)
  await page.getByText('3 rows: q, kind').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const grid = page.getByRole('table', { name: 'from-parquet' })
  await grid.getByRole('cell', { name: '9007199254740993' }).waitFor()
})
