/** Any requests, in any order: the rows are those of a plain model of the rules. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isCredentialKey } from '../../domain/calls/credential-keys.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { decode, end, item, start, whole } from './testing/decoding.js'

type Call = Record<string, unknown>

const key = fc.constantFrom('a', 'b', 'api_key', 'é', '__proto__', 'x y')
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1.5, 1e21, '', 'text', 'a "quoted" \\ \n é 😀'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 3 }),
  ),
}))
const data = fc.dictionary(key, json, { maxKeys: 3 })
const identity = fc.record({ project_id: fc.constantFrom('a/b', 'c/d'), id: fc.constantFrom('1', '2', 'é"') })
const startSide = fc.record({
  op_name: fc.string({ maxLength: 5 }),
  inputs: data,
  attributes: data,
  parent_id: fc.constantFrom(null, 'p'),
})
const summary = fc.dictionary(fc.constantFrom('weave', 'x', 'y'), json, { maxKeys: 3 })
const endSide = fc.record({ output: json, summary, exception: fc.constantFrom(null, 'e') })
const started = fc.tuple(identity, startSide).map(([ids, side]): Call => start({ ...ids, ...side }))
const ended = fc.tuple(identity, endSide).map(([ids, side]): Call => end({ ...ids, ...side }))
const complete = fc
  .tuple(identity, startSide, endSide)
  .map(([ids, a, b]): Call => whole({ ...ids, ...a, ...b }))

const request = fc.oneof(
  started.map((call) => ({ route: 'start' as const, calls: [call], body: { start: call } })),
  ended.map((call) => ({ route: 'end' as const, calls: [call], body: { end: call } })),
  fc
    .array(fc.oneof(started, ended), { maxLength: 5 })
    .map((calls) => ({ route: 'upsert_batch' as const, calls, body: { batch: calls.map(item) } })),
  fc
    .array(complete, { maxLength: 2 })
    .map((calls) => ({ route: 'complete' as const, calls, body: { batch: calls } })),
)

function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      isCredentialKey(name) && typeof inner === 'string' && inner !== ''
        ? [name, 'REDACTED']
        : [name, redacted(inner)],
    ),
  )
}

/** What must be stored: by project and id, what was said last of each side. */
function expected(calls: readonly Call[]): { whole: Call[]; open: Call[] } {
  const known = new Map<string, Call>()
  for (const call of calls) {
    const name = `${call.project_id} ${call.id}`
    known.set(name, { ...known.get(name), ...call })
  }
  const rows = [...known.values()].map((call) => {
    const { weave: _, ...rest } = (call.summary ?? {}) as Call
    const text = (value: unknown) => (value === undefined || value === null ? '' : JSON.stringify(value))
    return {
      project_id: projectIdOf(String(call.project_id)),
      id: call.id,
      op_name: call.op_name ?? '',
      parent_id: call.parent_id ?? '',
      inputs: text(redacted(call.inputs)),
      attributes: text(redacted(call.attributes)),
      output: text(call.output),
      summary: call.summary === undefined ? '' : JSON.stringify(rest),
      exception: call.exception ?? '',
      isWhole: call.started_at !== undefined && call.ended_at !== undefined,
    }
  })
  const pick = (isWhole: boolean) =>
    rows.filter((row) => row.isWhole === isWhole).map(({ isWhole: _, ...row }) => row)
  return { whole: pick(true), open: pick(false) }
}

it('rows are what the rules say', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 5 }), fc.nat(2), (requests, indent) => {
      const texts = requests.map(({ route, body }) => ({ route, json: JSON.stringify(body, null, indent) }))
      // What a client sends is text, so the model sees what the text says.
      const sent = requests.flatMap(({ calls }) => JSON.parse(JSON.stringify(calls)) as Call[])
      const result = decode(...texts)
      const { whole, open } = expected(sent)
      expect(result.wholeRows).toHaveLength(whole.length)
      expect(result.openRows).toHaveLength(open.length)
      expect(result.wholeRows).toMatchObject(whole)
      expect(result.openRows).toMatchObject(open)
    }),
    { numRuns: 400 },
  )
})
