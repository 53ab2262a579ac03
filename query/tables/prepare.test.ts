import { expect, it } from 'vitest'
import { prepareTable, prepareUpdate } from './prepare.js'

const many = (one: string) => `[${`${one},`.repeat(1_000_000)}${one}]`

it.each([
  ['rows', () => prepareTable(Buffer.from(`{"table":{"project_id":"a/b","rows":${many('{}')}}}`))],
  [
    'changes',
    () => prepareUpdate(Buffer.from(`{"project_id":"a/b","base_digest":"x","updates":${many('{}')}}`)),
  ],
])('more %s than memory should hold are refused', (_, prepare) => {
  expect(prepare).toThrow('send at most 1000000 rows in one request.')
})
