/** Generated expressions over generated calls: the engine and a slow, obvious evaluator name the same calls. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Query } from '../../contract/query-expr.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { visible } from '../../domain/calls/read/visible.js'
import { compileExpr } from '../../domain/expr/compile.js'
import { join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rounds } from '../../test/support/rounds.js'
import { prefilterConditions } from '../calls/prefilter.js'
import { writeCalls } from '../testing/calls.js'
import { evaluate, type Row } from '../testing/evaluate.js'
import { startService, type TestService } from '../testing/service.js'

let service: TestService
const project = 'acme/one'
const texts = [
  '',
  'a',
  'b',
  'A',
  'true',
  'false',
  '5',
  '5.0',
  '-3',
  '1e2',
  '.5',
  ' 5',
  'inf',
  'nan',
  'null',
  '{}',
  '[1]',
  "'",
  '"',
  '\\',
  '\\n',
  '\n',
  '\0',
  '\u0001',
  '{p0:String}',
  '--',
  'é',
  '😀',
  '%',
  'x'.repeat(300),
  '0',
  '1',
  '05',
  'food',
  'Seafood 2026',
  'of the sea\nfood',
]
const keys = ['a', 'b', '0', '1', 'x.y', "'", '"', '\\', 'é', '', '\n', '{p0:String}']
const numbers = [0, 1, 5, -3, 5.5, 0.1, 100, 1e-7, 12345678901]

const text = fc.constantFrom(...texts)
const scalar = fc.oneof(text, fc.constantFrom(...numbers), fc.boolean(), fc.constant(null))
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
}))
const row = fc.record({
  display_name: fc.oneof(
    fc.constant(null),
    text.filter((one) => one !== ''),
  ),
  op_name: text.filter((one) => one !== ''),
  run_step: fc.oneof(fc.constant(null), fc.constantFrom(0, 1, 5, -3)),
  inputs: json.object,
  output: json.value,
  attributes: json.object,
})

const path = fc.array(fc.constantFrom(...keys, 'a', '0'), { maxLength: 3 })
const field = fc.oneof(
  fc.constantFrom('display_name', 'op_name', 'run_step'),
  fc
    .tuple(fc.constantFrom('inputs', 'output', 'attributes'), path)
    .map(([root, parts]) => [root, ...parts.map((part) => part.replaceAll('.', '\\.'))].join('.')),
)
const literal = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 1, withCrossShrink: true },
    scalar.map(($literal) => ({ $literal })),
    fc.array(tie('one'), { maxLength: 2 }).map(($literal) => ({ $literal })),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('one'), { maxKeys: 2 }).map(($literal) => ({ $literal })),
  ),
}))
const expr = fc.letrec((tie) => {
  const pair = fc.tuple(tie('operand'), tie('operand'))
  return {
    operand: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 4, arbitrary: field.map(($getField) => ({ $getField })) },
      { weight: 4, arbitrary: literal.one },
      fc
        .record({ input: tie('operand'), to: fc.constantFrom('double', 'string', 'int', 'bool', 'exists') })
        .map(($convert) => ({ $convert })),
      tie('operand').map(($size) => ({ $size })),
      tie('operation'),
    ),
    operation: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      ...['$eq', '$eq', '$gt', '$gte', '$lt', '$lte'].map((name) => pair.map((both) => ({ [name]: both }))),
      fc.tuple(tie('operand'), fc.array(tie('operand'), { maxLength: 4 })).map(($in) => ({ $in })),
      fc
        .record({ input: tie('operand'), substr: tie('operand'), case_insensitive: fc.boolean() })
        .map(($contains) => ({ $contains })),
      tie('operation').map((one) => ({ $not: [one] })),
      fc.array(tie('operation'), { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })),
      fc.array(tie('operation'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
    ),
  }
})

const rows = fc.sample(row, { numRuns: 60, seed: 7 }) as unknown as Row[]
const seed = 11
/** Expressions of one statement, and statements. */
const BATCH = 25
const BATCHES = rounds(10, 24)

beforeAll(async () => {
  service = await startService(() => [])
  const calls = rows.map((one, i) => ({
    id: String(i),
    started_at: '2026-01-01T00:00:00Z',
    op_name: String(one.op_name),
    inputs: JSON.stringify(one.inputs),
    output: one.output === null ? '' : JSON.stringify(one.output),
    attributes: JSON.stringify(one.attributes),
    ...(one.display_name !== null && { display_name: String(one.display_name) }),
    ...(one.run_step !== null && { run_step: Number(one.run_step) }),
  }))
  await writeCalls(service.store, project, calls)
}, 120_000)
afterAll(() => service?.stop())

it(
  'agree',
  async () => {
    const queries = fc.sample(expr.operation, { numRuns: BATCH * BATCHES, seed })
    const fields = callFields(project)
    const wrong: unknown[] = []
    let matched = 0
    for (let from = 0; from < queries.length; from += BATCH) {
      const batch = queries.slice(from, from + BATCH).map((one) => Query.parse({ $expr: renamed(one) }).$expr)
      const found = await engine(
        batch.map((one) => join([...prefilterConditions(one, fields), compileExpr(one, fields)], sql` AND `)),
      )
      batch.forEach((one, i) => {
        const plain = queries[from + i]
        const expected = rows.flatMap((call, id) => (evaluate(plain as never, call) ? [String(id)] : []))
        matched += expected.length
        if (JSON.stringify(found[i]) !== JSON.stringify(expected))
          wrong.push({ expr: JSON.stringify(one), ...differ(found[i]!, expected) })
      })
    }
    expect(wrong.slice(0, 3)).toEqual([])
    expect(matched).toBeGreaterThan(40 * BATCHES)
  },
  rounds(120_000),
)

/** The ids of the calls for which each condition holds. */
async function engine(conditions: readonly Sql[]): Promise<string[][]> {
  const lists = conditions.map((one) => sql`arraySort(id -> toUInt32(id), groupArrayIf(id, ${one}))`)
  const [answer] = await service.store.rows<{ found: string[][] }>(
    sql`SELECT [${join(lists, sql`, `)}] AS found ${visible('calls', projectIdOf(project), [])}`,
    { settings: { max_query_size: '4194304' } },
  )
  return answer!.found
}

/** A call that one side names and the other does not. */
function differ(found: readonly string[], expected: readonly string[]) {
  const more = found.find((id) => !expected.includes(id))
  const missed = expected.find((id) => !found.includes(id))
  return {
    more: more && JSON.stringify(rows[Number(more)]),
    missed: missed && JSON.stringify(rows[Number(missed)]),
  }
}

/** Run steps go by another name in requests than in the table. */
function renamed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"run_step"', '"wb_run_step"'))
}
