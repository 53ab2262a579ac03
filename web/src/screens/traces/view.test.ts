import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, type Expr, search } from './language.js'
import { print } from './language-print.js'
import { searchOfView, viewOf } from './view.js'

describe('a condition that is printed', () => {
  const literal = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null))
  const field = fc
    .constantFrom('inputs.a', 'summary.weave.status', 'op_name', 'summary.weave.latency_ms', 'thread_id')
    .map(($getField) => ({ $getField }))
  const compared = fc
    .constantFrom('$eq', '$gt', '$gte', '$lt', '$lte')
    .chain((name) =>
      fc.tuple(field, literal).map(([left, value]) => ({ [name]: [left, { $literal: value }] })),
    )
  const contained = fc.tuple(field, fc.string({ unit: 'binary' })).map(([input, substr]) => ({
    $contains: { input, substr: { $literal: substr }, case_insensitive: true },
  }))
  const present = field.map((input) => ({
    $eq: [{ $convert: { input, to: 'exists' } }, { $literal: true }],
  }))
  const sought = fc.string({ unit: 'binary' }).map(search)
  const { expr } = fc.letrec((tie) => ({
    expr: fc.oneof({ maxDepth: 3 }, compared, contained, present, sought, tie('and'), tie('or'), tie('not')),
    and: fc.array(tie('expr'), { minLength: 2, maxLength: 3 }).map(($and) => ({ $and })),
    or: fc.array(tie('expr'), { minLength: 2, maxLength: 3 }).map(($or) => ({ $or })),
    not: tie('expr').map((inner) => ({ $not: [inner] })),
  }))

  it('is read back, but for parentheses that say nothing', () => {
    fc.assert(
      fc.property(expr, (given) => {
        expect(flat(compile(print(given as Expr)))).toEqual(flat(given))
      }),
    )
  })

  it('is refused where the language has no words for it', () => {
    const sum = { $eq: [{ $convert: { input: { $getField: 'inputs.a' }, to: 'bool' } }, { $literal: true }] }
    expect(() => print(sum as Expr)).toThrow('inputs.a')
  })
})

describe('a view', () => {
  it('of an SDK is shown with its ops, conditions, columns and order', () => {
    const view = {
      label: 'Slow ones',
      view_type: 'traces',
      definition: {
        filter: { op_names: ['weave:///acme/one/op/ask:*'] },
        query: {
          $expr: {
            _type: 'AndOperation',
            $and: [
              { $gt: [{ $convert: { input: { $getField: 'inputs.n' }, to: 'double' } }, { $literal: 5 }] },
              { $or: ['a', 'b'].map((one) => ({ $eq: [{ $getField: 'output' }, { $literal: one }] })) },
            ],
          },
        },
        columns: [
          { path: ['op_name'] },
          { path: ['inputs', 'messages', 0, 'content'] },
          { path: ['project_id'] },
        ],
        sort_by: [{ field: 'inputs.n', direction: 'desc' }],
        pin: null,
      },
    }
    expect(searchOfView(view as never)).toEqual({
      q: 'op_name~weave:///acme/one/op/ask: inputs.n>5 (output:a or output:b)',
      sort: '-inputs.n',
      cols: 'name,inputs.messages.0.content',
      all: true,
    })
    const roots = { definition: { filter: { trace_roots_only: true }, cols: { latency: true, id: false } } }
    expect(searchOfView(roots)).toEqual({ cols: 'latency' })
  })

  it('of this page comes back as it was, and has no end in time for SDKs', () => {
    const search = { q: 'status:error', range: '1h', sort: 'latency', cols: 'name,cost' }
    const view = viewOf('mine', search)
    expect(searchOfView(view as never)).toEqual(search)
    expect(view.definition.query).toEqual({ $expr: { $and: [compile('status:error')] } })
  })
})

/** Without an `and` in an `and`, or an `or` in an `or`. */
function flat(expr: unknown): unknown {
  if (typeof expr !== 'object' || expr === null) return expr
  if (Array.isArray(expr)) return expr.map(flat)
  const [[name = '', value] = []] = Object.entries(expr)
  if (name !== '$and' && name !== '$or')
    return Object.fromEntries(Object.entries(expr).map(([key, inner]) => [key, flat(inner)]))
  const inner = (value as unknown[]).map(flat) as Record<string, unknown>[]
  return { [name]: inner.flatMap((one) => (Array.isArray(one?.[name]) ? one[name] : [one])) }
}
