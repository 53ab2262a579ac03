import { expect, it } from 'vitest'
import { CALL_COLUMNS } from '../../../../cli/data/call-columns.js'
import { queryOf, WHOLE } from './chosen'

it('an export has the columns that `heddle export` writes', () => expect(WHOLE).toEqual(CALL_COLUMNS))

it('all that match are asked for by what selects them, some by their ids', () => {
  const all = {
    ...{ project: 'acme/one', condition: { filter: { trace_roots_only: true } }, count: 2 },
    sort: [{ field: 'started_at', direction: 'desc' as const }],
  }
  expect(queryOf(all)).toMatchObject({ filter: { trace_roots_only: true } })
  expect(queryOf({ ...all, ids: ['a', 'b'] })).toMatchObject({ filter: { call_ids: ['a', 'b'] } })
})
