/** The query parts of saved views: filter, sort and `$expr`. */
import { model, optional, plain, required } from './model.js'
import { any, flag, later, list, nullable, oneOf, record, type Shape, text, tuple, union } from './shape.js'

const operand: Shape = later(() => anyOperand)

const literal: Shape = plain('LiteralOperation', {
  $literal: required(
    union('is no literal', (value, at) =>
      value instanceof Map
        ? record(literal)(value, at)
        : Array.isArray(value)
          ? list(literal)(value, at)
          : any(value, at),
    ),
  ),
})
const pair = (name: string, key: string) => plain(name, { [key]: required(tuple(operand, operand)) })

const operations: Record<string, Shape> = {
  $and: plain('AndOperation', { $and: required(list(operand)) }),
  $or: plain('OrOperation', { $or: required(list(operand)) }),
  $not: plain('NotOperation', { $not: required(tuple(operand)) }),
  $eq: pair('EqOperation', '$eq'),
  $gt: pair('GtOperation', '$gt'),
  $lt: pair('LtOperation', '$lt'),
  $gte: pair('GteOperation', '$gte'),
  $lte: pair('LteOperation', '$lte'),
  $in: plain('InOperation', { $in: required(tuple(operand, list(operand))) }),
  $contains: plain('ContainsOperation', {
    $contains: required(
      plain('ContainsSpec', {
        input: required(operand),
        substr: required(operand),
        case_insensitive: optional(nullable(flag), false),
      }),
    ),
  }),
}
const operands: Record<string, Shape> = {
  $literal: literal,
  $getField: plain('GetFieldOperator', { $getField: required(text) }),
  $convert: plain('ConvertOperation', {
    $convert: required(
      plain('ConvertSpec', {
        input: required(operand),
        to: required(oneOf('double', 'string', 'int', 'bool', 'exists')),
      }),
    ),
  }),
  $size: plain('SizeOperation', { $size: required(operand) }),
  ...operations,
}

/** The one of `shapes` named by the value's key. */
const keyed =
  (shapes: Record<string, Shape>, problem: string): Shape =>
  (value, at) => {
    const key =
      value instanceof Map ? [...value.keys()].find((name) => Object.hasOwn(shapes, name)) : undefined
    return key === undefined ? union(problem)(value, at) : shapes[key]!(value, at)
  }
const anyOperand = keyed(operands, `should have one of ${Object.keys(operands).join(', ')}`)

export const Query = model(
  'Query',
  { $expr: required(keyed(operations, `should have one of ${Object.keys(operations).join(', ')}`)) },
  { bases: ['BaseModel'], closed: true },
)

const served = { bases: ['BaseModelStrict', 'BaseModel'] }
export const SortBy = model(
  'SortBy',
  { field: required(text), direction: required(oneOf('asc', 'desc')) },
  served,
)

const texts = optional(nullable(list(text)))
export const CallsFilter = model(
  'CallsFilter',
  {
    op_names: texts,
    input_refs: texts,
    output_refs: texts,
    parent_ids: texts,
    trace_ids: texts,
    call_ids: texts,
    thread_ids: texts,
    turn_ids: texts,
    trace_roots_only: optional(nullable(flag)),
    wb_user_ids: texts,
    wb_run_ids: texts,
  },
  served,
)
