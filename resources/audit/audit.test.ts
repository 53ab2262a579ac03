/** The statements of the audit log for any filter, and the cursors of its pages. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditQuery } from '../../contract/audit.js'
import { REFUSED } from '../../platform/http/audit.js'
import { cursorOf, placeOf } from './routes.js'
import { entriesStatement, linesStatement } from './statements.js'

const NOTHING: AuditQuery = {
  ...{ scope: '*', since: null, until: null, user: null, category: null, action: null, outcome: null },
  ...{ limit: 100, cursor: null },
}

describe('a statement', () => {
  it('has all of a filter', () => {
    const all: AuditQuery = {
      ...{
        scope: 'acme/one',
        since: '2026-01-01T00:00:00Z',
        until: '2026-02-01T00:00:00+01:00',
        user: 'ann',
      },
      ...{ category: 'access', action: 'key_create', outcome: 'refused', limit: 5, cursor: null },
    }
    expect(entriesStatement(all, { beganAt: 17, id: 'i' }).render()).toMatchSnapshot()
    expect(linesStatement(all).render()).toMatchSnapshot()
  })

  it('knows refusals by the same statuses as the rest', () => {
    expect(entriesStatement(NOTHING, undefined).render().query).toContain(
      `last_status IN (${REFUSED.join(', ')}), 'refused'`,
    )
  })

  it('has no condition that was not asked for', () => {
    expect(entriesStatement(NOTHING, undefined).render()).toMatchSnapshot()
    expect(linesStatement(NOTHING).render().query).toContain('WHERE true ORDER BY')
  })

  it('has no text of a caller in it', () =>
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const hostile = { ...NOTHING, scope: `e${text}`, user: text, action: text }
        const queryOf = (filter: AuditQuery) =>
          entriesStatement(filter, { beganAt: 1, id: text }).render().query
        const plain = queryOf({ ...NOTHING, scope: text.includes('/') ? 'a/b' : 'a', user: 'b', action: 'c' })
        // Equal values share a parameter, so only their number may differ.
        const shape = (query: string) => query.replaceAll(/\{p\d+:/g, '{p:')
        expect(shape(queryOf(hostile))).toBe(shape(plain))
      }),
    ))

  it.each(['1900-01-01T00:00:00Z', '9999-12-31T00:00:00Z'])(
    'has a time that the table can hold for %s',
    (since) =>
      expect(linesStatement({ ...NOTHING, since }).render().params).toEqual({
        p0: since.startsWith('1') ? '0' : String(Date.UTC(2255, 0) * 1000),
      }),
  )
})

describe('a cursor', () => {
  it('reads back as the place that it is of', () =>
    expect(placeOf(cursorOf({ began_micros: '1700000000000001', id: 'a-b' }))).toEqual({
      ...{ beganAt: 1_700_000_000_000_001, id: 'a-b' },
    }))

  it.each(['', 'x', '1', '1.', '.a', "1.a'", `${'9'.repeat(17)}.a`])('%j is none', (text) =>
    expect(() => placeOf(text)).toThrow('next_cursor'),
  )
})
