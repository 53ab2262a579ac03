import { describe, expect, it } from 'vitest'
import { changed, type Item, itemOfRow, itemText, membersIn, rowOfItem, rowText } from './item.js'

const said = (texts: Record<string, string>) => membersIn(texts)
const first = changed(
  undefined,
  'd',
  {
    id: 'i',
    status: null,
    members: said({ input: '{"q":1.0}', expectedOutput: '"a"', sourceTraceId: '"t"' }),
  },
  5,
)

describe('changes of an item', () => {
  it('keep what they leave out, or send as null', () => {
    const next = changed(
      first,
      'd',
      { id: 'i', status: null, members: said({ input: 'null', metadata: '7' }) },
      9,
    )
    expect(next).toMatchObject({ created: 5, ver: 9, status: 'ACTIVE' })
    expect(rowText(next)).toBe('{"id":"i","input":{"q":1.0},"expected_output":"a","metadata":7}')
  })

  it('archived and deleted items are no rows; after a deletion an item begins anew', () => {
    const archived = changed(first, 'd', { id: 'i', status: 'ARCHIVED', members: new Map() }, 6)
    expect(rowText(archived)).toBe('')
    const back = changed(archived, 'd', { id: 'i', status: 'ACTIVE', members: new Map() }, 7)
    expect(rowText(back)).toBe(rowText(first))
    const deleted = changed(back, 'd', { id: 'i', status: 'DELETED', members: new Map() }, 8)
    const anew = changed(deleted, 'd', { id: 'i', status: null, members: said({ input: '2' }) }, 9)
    expect([rowText(deleted), rowText(anew), anew.created]).toEqual(['', '{"id":"i","input":2}', 9])
  })
})

it('values are shown as they were written', () => {
  expect(itemText(first, 'data')).toContain(
    '"input":{"q":1.0},"expectedOutput":"a","metadata":null,"sourceTraceId":"t"',
  )
})

describe('rows of other clients', () => {
  const digest = 'd'.repeat(43)
  it.each([
    ['{"input":1,"expected":2,"metadata":3}', { input: '1', expected_output: '2', metadata: '3' }],
    ['{"question":"q","answer":"a"}', { input: '{"question":"q","answer":"a"}', expected_output: '"a"' }],
  ])('%s', (text, members) => {
    const item: Item = itemOfRow('set', digest, text, 3)
    expect(Object.fromEntries(item.members)).toEqual(members)
    expect(rowOfItem(item.id)).toEqual({ dataset: 'set', digest })
  })
})
