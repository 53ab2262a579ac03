import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Operation } from '../../contract/query-expr.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { LENGTH_LIMIT } from '../../domain/expr/bound.js'
import { compileExpr } from '../../domain/expr/compile.js'
import { HeddleError } from '../../platform/errors/error.js'

const fields = callFields('acme/one')

const expr = fc.letrec((tie) => {
  const pair = fc.tuple(tie('operand'), tie('operand'))
  const more = { maxDepth: 12, depthSize: 'xlarge', withCrossShrink: true } as const
  return {
    operand: fc.oneof(
      more,
      fc
        .constantFrom('inputs.a', 'output.0.1.b', 'attributes.otel_span.x', 'op_name', 'ended_at', 'summary')
        .map(($getField) => ({ $getField })),
      fc.constantFrom('x', 1, true, null).map(($literal) => ({ $literal })),
      fc
        .record({ input: tie('operand'), to: fc.constantFrom('double', 'string', 'int', 'bool', 'exists') })
        .map(($convert) => ({ $convert })),
      tie('operand').map(($size) => ({ $size })),
      tie('operation'),
    ),
    operation: fc.oneof(
      more,
      pair.map(($eq) => ({ $eq })),
      pair.map(($gt) => ({ $gt })),
      fc.tuple(tie('operand'), fc.array(tie('operand'), { maxLength: 4 })).map(($in) => ({ $in })),
      fc.tuple(tie('operation')).map(($not) => ({ $not })),
      fc.array(tie('operation'), { minLength: 1, maxLength: 4 }).map(($and) => ({ $and })),
    ),
  }
})

it('what is compiled is no longer than what was counted, which is bounded', () => {
  fc.assert(
    fc.property(expr.operation, (one) => {
      try {
        const piece = compileExpr(one as Operation, fields)
        expect(piece.length).toBeLessThanOrEqual(LENGTH_LIMIT)
        expect(piece.render().query.length).toBeLessThanOrEqual(piece.length)
      } catch (error) {
        expect([400, 422]).toContain((error as HeddleError).status)
        expect(error).toBeInstanceOf(HeddleError)
      }
    }),
    { numRuns: 300 },
  )
})

it('conversions inside conversions grow by what they add', () => {
  const lengthOf = (depth: number) => {
    let text: object = { $getField: 'inputs.a' }
    for (let i = 0; i < depth; i++)
      text = { $convert: { input: { $convert: { input: text, to: 'bool' } }, to: 'string' } }
    return compileExpr({ $eq: [text, { $literal: 'true' }] } as Operation, fields).length
  }
  expect(lengthOf(20) - lengthOf(10)).toBe(lengthOf(30) - lengthOf(20))
})
