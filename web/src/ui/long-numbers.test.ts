/** Long numbers on their way through the page: from an answer into what is shown, copied, and sent again. */
import { afterEach, expect, it, vi } from 'vitest'
import { changeRows } from '../api/datasets'
import { jsonText, parseJson } from '../api/json'
import { NO_EDITS, updatesOf, withRow } from '../screens/objects/edits'
import { cutDown } from '../screens/trace/cut'
import { preview } from '../screens/traces/columns'
import { rowsOfCalls } from '../screens/traces/to-rows'
import { changesOf } from './diff'
import { csv, flatten, jsonLines } from './export'
import { rowsOf } from './import'
import { indented, isFields } from './parsed'
import { tableOf } from './table-of'

const ID = '1234567890123456789'
const row = () => parseJson(`{"id": ${ID}, "note": "a"}`) as Record<string, unknown>

afterEach(() => vi.unstubAllGlobals())

it('a row that is edited is saved with the numbers it had', async () => {
  const bodies: string[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    bodies.push(String(body))
    return new Response('{"digest":"d"}')
  })
  // As the editor does: the row as text, its text as a row.
  const edited = parseJson(jsonText(row(), 2).replace('"a"', '"b"')) as Record<string, unknown>
  const object = {
    ...{ project_id: 'e/p', object_id: 'o' },
    val: parseJson(`{"rows": "weave:///e/p/table/t", "size": ${ID}}`),
  }
  await changeRows(object, updatesOf(withRow(NO_EDITS, 1, 0, edited)))
  expect(bodies[0]).toContain(`"row":{"id":${ID},"note":"b"}`)
  expect(bodies[1]).toContain(`"size":${ID}`)
})

it('rows of a file or of calls have the numbers that these have', () => {
  expect(jsonText(rowsOf(`[{"id": ${ID}}]`))).toBe(`[{"id":${ID}}]`)
  expect(jsonText(rowsOf(`{"id": ${ID}}\n{"id": 1e400}`))).toBe(`[{"id":${ID}},{"id":1e400}]`)
  const call = parseJson(`{"inputs": {"id": ${ID}}}`) as never
  expect(jsonText(rowsOfCalls([call], [{ name: 'id', path: 'inputs.id' }]))).toBe(`[{"id":${ID}}]`)
})

it('a long number is a value like any other wherever values are shown', () => {
  const { id } = row()
  expect(isFields(id)).toBe(false)
  expect(tableOf(id)).toBeUndefined()
  expect(flatten(row())).toEqual(row())
  expect(cutDown({ id })).toEqual({ id })
  expect(preview(id)).toBe(ID)
  expect(preview({ id })).toBe(`id: ${ID}`)
  expect(indented({ id })).toBe(`{\n  "id": ${ID}\n}`)
  expect(csv([row()])).toBe(`id,note\r\n${ID},a\r\n`)
  expect(jsonLines([row()])).toBe(`{"id":${ID},"note":"a"}\n`)
  expect(changesOf(row(), row())).toEqual([])
  expect(changesOf(row(), { ...row(), id: parseJson('1234567890123456788') })).toMatchObject([{ path: 'id' }])
})
