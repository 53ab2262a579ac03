import { expect, it } from 'vitest'
import { GROUPINGS } from '../../contract/calls-read.js'
import { FIELDS, fieldNamed, pathOf } from './listed-fields.js'
import { callFields } from './read/fields.js'

it('every field that people can filter by is one of queries', () => {
  const fields = callFields('acme/one')
  const known = FIELDS.filter(({ path }) => path !== undefined)
  expect(known.filter(({ path }) => fields(path!) === undefined)).toEqual([])
})

it('no name means two fields', () => {
  const names = FIELDS.flatMap(({ names }) => names)
  expect(names).toHaveLength(new Set(names).size)
  for (const { names, path } of FIELDS) for (const name of names) expect(pathOf(name)).toBe(path)
})

it('statistics are grouped by fields of the list, and by agents', () => {
  const grouped = FIELDS.flatMap(({ group }) => group ?? [])
  expect([...grouped, 'agent'].sort()).toEqual([...GROUPINGS].sort())
})

it('what people write instead of a value means one', () => {
  const { values, meant } = fieldNamed('status')!
  for (const [word, value] of Object.entries(meant!)) {
    expect(values).toContain(value)
    expect(values).not.toContain(word)
  }
})
