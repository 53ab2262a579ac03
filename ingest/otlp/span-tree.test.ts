/** What spans have of their ancestors in one request: by both decoders, and as the oracle says. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../test/support/rounds.js'
import { decoded, expectLeaves, PROJECT, plainRow, requestOf } from './testing/decoded.js'
import { decodeExport, encodeExport, exportOf, spanWith } from './testing/messages.js'
import { expectedRows } from './testing/oracle.js'

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
      const bytes = encodeExport(exportOf(...sent.map(({ span }) => span)))
      const expected = expectedRows(decodeExport(bytes), PROJECT)
      const batch = decoded([requestOf(bytes), requestOf(bytes)])
      const rows = JSON.parse(JSON.stringify(batch.raw.map(plainRow)))
      expect(rows).toEqual([...expected.rows, ...expected.rows])
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
