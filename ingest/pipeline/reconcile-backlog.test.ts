import { expect, it } from 'vitest'
import type { CallChange } from '../merge/call-change.js'
import { ReconcileBacklog } from './reconcile-backlog.js'

const change = (id: string): CallChange => ({
  ...{ kind: 'whole', projectId: 'p', id, traceId: 't', startedAt: 1, ver: 7 },
  mustPair: true,
})

it('gives what it was given once, and once more when asked for all', () => {
  const backlog = new ReconcileBacklog()
  backlog.add([change('a')])
  expect(backlog.waiting).toBe(1)
  expect(backlog.take(false).map(({ id }) => id)).toEqual(['a'])
  backlog.add([change('b')])
  expect(backlog.take(true).map(({ id }) => id)).toEqual(['b', 'a'])
  expect(backlog.take(true).map(({ id }) => id)).toEqual(['b'])
  expect(backlog.take(true)).toEqual([])
})

it('knows no version: that of the write may never have been stored', () => {
  const backlog = new ReconcileBacklog()
  backlog.add([change('a')])
  expect(backlog.take(false)).toEqual([
    { kind: 'whole', projectId: 'p', id: 'a', traceId: 't', startedAt: 1, ver: 0 },
  ])
})
