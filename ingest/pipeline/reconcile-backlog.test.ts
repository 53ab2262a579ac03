import { expect, it } from 'vitest'
import type { Touch } from '../merge/call-change.js'
import { Owed } from './reconcile-backlog.js'

const touch = (id: string): Touch => ({
  ...{ kind: 'whole', projectId: 'p', id, traceId: 't', startedAt: 1, ver: 7 },
  mustPair: true,
})

it('gives what it was given once, and once more when asked for all', () => {
  const owed = new Owed()
  owed.add([touch('a')])
  expect(owed.waiting).toBe(1)
  expect(owed.take(false).map(({ id }) => id)).toEqual(['a'])
  owed.add([touch('b')])
  expect(owed.take(true).map(({ id }) => id)).toEqual(['b', 'a'])
  expect(owed.take(true).map(({ id }) => id)).toEqual(['b'])
  expect(owed.take(true)).toEqual([])
})

it('knows no version: that of the write may never have been stored', () => {
  const owed = new Owed()
  owed.add([touch('a')])
  expect(owed.take(false)).toEqual([
    { kind: 'whole', projectId: 'p', id: 'a', traceId: 't', startedAt: 1, ver: 0 },
  ])
})
