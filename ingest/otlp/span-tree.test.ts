/** What spans have of their ancestors in one request: by both decoders, and as plain rules say. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isId } from '../../contract/limits.js'
import { rounds } from '../../test/support/rounds.js'
import { decoded, expectLeaves, plainRow, requestOf } from './testing/decoded.js'
import { encodeExport, exportOf, type SpanMessage, spanWith } from './testing/messages.js'

type Attributes = Parameters<typeof spanWith>[0]

/** A span: its attributes, and its place among the spans before it, which may be its parents. */
interface Node {
  readonly attributes: Attributes
  readonly parent: number
  readonly trace: number
  readonly order: number
}

const idOf = (n: number) => {
  const id = Buffer.alloc(8)
  id.writeUInt32BE(n + 1, 4)
  return id
}
const sessions: Attributes[] = [
  { 'session.id': 's' },
  { 'gen_ai.conversation.id': 'c' },
  { 'langfuse.session.id': 's', 'wandb.is_turn': true },
  { 'wandb.thread_id': 't' },
  { 'wandb.thread_id': 's', 'wandb.is_turn': false },
]
const users: Attributes[] = [
  { 'user.id': 'ann' },
  { 'langfuse.user.id': 'bob \\ "é"' },
  { 'enduser.id': 42 },
  { 'user.id': '' },
  { 'user.id': 'x'.repeat(300) },
  { 'user.id': 'a\nb' },
  { 'user.id': '{"name":"ann"}' },
  { user_id: 'own' },
  { user_id: null },
  { user_id: 'own', 'user.id': '' },
  { user_id: 'own', 'user.id': 'ann' },
  { 'user_id.name': 'ann' },
  { 'weave.attributes': '{"user_id":"merged","n":1.0}' },
  { metadata: '{"user_id":"inside"}' },
]
const others: Attributes[] = [
  { 'input.value': 'q', 'output.value': '{"user_id":"of an answer"}' },
  { 'gen_ai.request.model': 'm', n: 1 },
  Object.fromEntries(Array.from({ length: 255 }, (_, n) => [`k${n}`, 'v'])),
]
const oneOf = (all: Attributes[], weight: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Attributes>({}) },
    { weight, arbitrary: fc.constantFrom(...all) },
  )
const node: fc.Arbitrary<Node> = fc.record({
  attributes: fc
    .tuple(oneOf(sessions, 1), oneOf(users, 1), oneOf(others, 2))
    .map((parts) => Object.assign({}, ...parts) as Attributes),
  parent: fc.nat(),
  trace: fc.nat({ max: 1 }),
  order: fc.nat(),
})

interface Row extends Record<string, unknown> {
  thread_id?: string
  turn_id?: string
  attributes: { user_id?: unknown }
}

/** The rows of spans sent each alone, with what they have of those above them. */
function settled(spans: readonly SpanMessage[]): Row[] {
  const alone = decoded(spans.map((span) => requestOf(encodeExport(exportOf(span)))))
  const rows = alone.raw.map(plainRow) as Row[]
  const key = (id: Uint8Array | undefined, { traceId }: SpanMessage) =>
    Buffer.from([...traceId!, ...id!]).toString('hex')
  const byId = new Map(spans.map((span, i) => [key(span.spanId, span), i]))
  const users = rows.map(({ attributes }) => attributes.user_id)
  const done = new Set<number>()
  const visit = (i: number): void => {
    if (done.has(i)) return
    done.add(i)
    const parent = byId.get(key(spans[i]!.parentSpanId, spans[i]!))
    if (parent === undefined) return
    visit(parent)
    const row = rows[i]!
    if (users[i] === undefined) {
      users[i] = users[parent]
      if (canInherit(users[i])) row.attributes = { ...row.attributes, user_id: users[i] }
    }
    const { thread_id: above, turn_id: turn } = rows[parent]!
    if (above === undefined || (row.thread_id !== undefined && row.thread_id !== above)) return
    row.thread_id = above
    const isSaid = spans[i]!.attributes!.some(
      ({ key, value }) => key === 'wandb.is_turn' && 'boolValue' in value! && value.boolValue,
    )
    if (turn !== undefined && !isSaid) row.turn_id = turn
  }
  for (const i of spans.keys()) visit(i)
  return rows
}

function canInherit(user: unknown): boolean {
  return (
    typeof user === 'number' ||
    (typeof user === 'string' && isId(user, 256) && Buffer.byteLength(user) <= 256)
  )
}

it('sessions and users are inherited at any depth and in any order', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 2, maxLength: 40 }), fc.boolean(), (nodes, isChain) => {
      const spans = nodes.map(({ attributes, parent, trace }, n) =>
        spanWith(attributes, {
          traceId: Buffer.alloc(16, 1 + (isChain ? 0 : trace)),
          spanId: idOf(n),
          // The first one's parent is elsewhere.
          parentSpanId: idOf(n === 0 ? 1000 : isChain ? n - 1 : parent % n),
        }),
      )
      const sent = nodes.map(({ order }, n) => ({ order, span: spans[n]! })).sort((a, b) => a.order - b.order)
      const expected = settled(sent.map(({ span }) => span))
      const bytes = encodeExport(exportOf(...sent.map(({ span }) => span)))
      const batch = decoded([requestOf(bytes), requestOf(bytes)])
      const rows = JSON.parse(JSON.stringify(batch.raw.map(plainRow)))
      expect(rows).toEqual([...expected, ...expected])
      for (const row of batch.raw) {
        expectLeaves(row)
        expect(Number(row.has_user)).toBe('user_id' in JSON.parse(String(row.attributes)) ? 1 : 0)
        const { inputs, output, attributes, summary } = row
        const texts = [inputs, output, attributes, summary].map((text) => Buffer.byteLength(String(text)))
        expect(Number(row.bytes)).toBe(texts.reduce((a, b) => a + b))
      }
    }),
    { numRuns: rounds(60) },
  )
})
