/** Searches find the same with and without the index of words, old parts and new ones. In the real engine. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADD_SEARCH_INDEX, DROP_SEARCH_INDEX } from '../../domain/calls/search-index.js'
import { haveWords, wordsIn } from '../../domain/calls/words.js'
import { render } from '../../platform/clickhouse/render.js'
import { sql } from '../../platform/clickhouse/sql.js'
import { callsRoutes } from '../../query/calls/routes.js'
import { type TestCall, writeCalls } from '../../query/testing/calls.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { changeSearchIndex } from './search-index.js'

let service: TestService
const project_id = 'acme/one'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const TEXTS: [id: string, text: string][] = [
  ['word', 'we crossed the Zugspitze'],
  ['part', 'two zugspitzen'],
  ['newline', 'above\nZUGSPITZE'],
  ['tag', '<b>zugspitze</b>'],
  ['other', 'we crossed the Alps'],
  ['umlaut', 'grüße von der zugspitze'],
]
const call = ([id, text]: (typeof TEXTS)[number], batch: string): TestCall => ({
  id: `${batch} ${id}`,
  started_at: '2026-01-01T00:00:00Z',
  // As programs write it: with letters that others escape, and without.
  inputs: JSON.stringify({ text }).replaceAll('<', '\\u003c').replaceAll('ü', '\\u00fc'),
  output: JSON.stringify(text),
})
const write = (batch: string) =>
  writeCalls(
    service.store,
    project_id,
    TEXTS.map((one) => call(one, batch)),
  )
const found = async (field: string, text: string, case_insensitive: boolean) => {
  const contains = { input: { $getField: field }, substr: { $literal: text }, case_insensitive }
  const { text: lines } = await service.post('/calls/stream_query', {
    ...{ project_id, query: { $expr: { $contains: contains } }, columns: ['id'] },
  })
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id as string)
    .sort()
}
const of = (batches: string[], ids: string[]) =>
  batches.flatMap((batch) => ids.map((id) => `${batch} ${id}`)).sort()

beforeAll(async () => {
  service = await startService((store) => callsRoutes({ store, limits }))
  await write('old')
})
afterAll(() => service?.stop())

const finds = async (batches: string[]) => {
  for (const field of ['inputs.text', 'output']) {
    expect(await found(field, 'zugspitze', true)).toEqual(
      of(batches, ['newline', 'part', 'tag', 'umlaut', 'word']),
    )
    expect(await found(field, 'zugspitze', false)).toEqual(of(batches, ['part', 'tag', 'umlaut']))
    expect(await found(field, 'crossed the alps', true)).toEqual(of(batches, ['other']))
    expect(await found(field, 'GRÜSSE', true)).toEqual([])
    expect(await found(field, 'grüße von', true)).toEqual(of(batches, ['umlaut']))
    expect(await found(field, 'e\nZ', false)).toEqual(of(batches, ['newline']))
  }
}

it('finds texts with the index and without', async () => {
  const { store } = service
  const show = () => changeSearchIndex(store, 'show', undefined)
  expect(await show()).toBe('there is no index of words')
  await finds(['old'])
  await changeSearchIndex(store, 'on', undefined)
  expect(await show()).toMatch(/^the index of words has [\d.]+ \w+$/)
  // One index in memory at a time.
  const [made] = await store.rows(
    sql`SELECT toUInt32(uniqExact(mutation_id)) AS mutations FROM system.mutations WHERE database = currentDatabase() AND match(command, 'INDEX words_of_')`,
  )
  expect(made).toEqual({ mutations: 3 })
  await finds(['old'])
  await write('new')
  await finds(['new', 'old'])
  const condition = haveWords([sql`inputs`], wordsIn('Zugspitze'))
  const plan = await store.rows<{ explain: string }>(
    sql`EXPLAIN indexes = 1 SELECT id FROM calls WHERE ${condition}`,
  )
  expect(plan.map(({ explain }) => explain).join('\n')).toContain('words_of_inputs')
  await changeSearchIndex(store, 'off', undefined)
  expect(await show()).toBe('there is no index of words')
  await finds(['new', 'old'])
  await expect(changeSearchIndex(store, 'maybe', undefined)).rejects.toThrow('on, off or show')
})

it('is made on each node of a cluster', () => {
  const statements = [...Object.values(ADD_SEARCH_INDEX).flat(), ...DROP_SEARCH_INDEX]
  const local = "ALTER TABLE calls_local ON CLUSTER 'c' "
  expect(statements.flatMap((one) => render(one, 'c')).filter((one) => one.startsWith(local))).toHaveLength(7)
})

it.each([
  ['a few of the longest words', 'One two three four fives seventeen', ['seventeen', 'three', 'fives']],
  ['no short ones', 'a to the', []],
  ['no numbers, which JSON may write otherwise', '12345 1e100 2026', []],
  ['but ids', '1f9a2b3c', ['1f9a2b3c']],
  ['only ASCII', 'grüße Straßen', ['stra']],
])('words of a search: %s', (_, text, words) => {
  expect(wordsIn(text)).toEqual(words)
  expect(haveWords([sql`a`, sql`b`], wordsIn(text)).empty).toBe(words.length === 0)
})
