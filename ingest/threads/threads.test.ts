import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { buildBody, stamp } from '../../bench/load/span-body.js'
import { type Arrival, AS_SENT } from '../../domain/calls/arrival.js'
import { CallBlock } from '../../domain/calls/block.js'
import { operatorMasks } from '../../domain/masking/defaults.js'
import { OtlpDecoder } from '../otlp/decode.js'
import { requestOf } from '../otlp/testing/decoded.js'
import { SpanSource } from '../otlp/testing/sample-spans.js'
import type { RawWrite } from './task.js'
import { Threads } from './threads.js'

let threads: Threads | undefined
afterEach(() => threads?.stop())

function exportOf(spans: number, contentEncoding = ''): RawWrite {
  const plain = buildBody(spans, 1, 'a/b')
  stamp(plain, 1, 1, 1_770_000_000_000_000, 1)
  return {
    ...{ route: 'otlp', contentType: 'application/x-protobuf', contentEncoding, project: 'a/b' },
    ...{ userId: 'u', grants: [{ scope: '*', right: 'write' }] },
    body: contentEncoding === 'gzip' ? gzipSync(plain.bytes) : plain.bytes,
  }
}

async function decoded(requests: RawWrite[], arrival: Arrival = AS_SENT) {
  threads = new Threads(
    1,
    arrival,
    () => operatorMasks(arrival).snapshot,
    (error) => {
      throw error
    },
  )
  const { calls, outcomes } = await threads.decode(requests)
  // Rows of a thread come in shared memory.
  const isOfThread = calls!.bytes.buffer instanceof SharedArrayBuffer
  return { calls: calls!, outcomes, isOfThread }
}

it.each<[string, boolean, RawWrite[], Arrival?]>([
  ['a small batch', false, [exportOf(1)]],
  ['a larger one', true, [exportOf(100)]],
  ['many small ones', true, Array.from({ length: 20 }, () => exportOf(1))],
  ['a compressed one', true, [exportOf(1, 'gzip')]],
  ['one in which personal data is masked', true, [exportOf(1)], { ...AS_SENT, sensitiveData: 'pii-v1' }],
])('%s is decoded by a thread: %s', async (_, inThread, requests, arrival) => {
  expect((await decoded(requests, arrival)).isOfThread).toBe(inThread)
})

it('a small batch has the same rows as by a thread', async () => {
  const here = await decoded([exportOf(1)])
  await threads!.stop()
  const there = await decoded([exportOf(1, 'gzip')])
  expect(here.isOfThread).not.toBe(there.isOfThread)
  expect(Buffer.from(here.calls.bytes)).toEqual(Buffer.from(there.calls.bytes))
  expect([...here.calls.hashes, ...here.calls.kinds]).toEqual([...there.calls.hashes, ...there.calls.kinds])
  expect(here.outcomes[0]?.accepted).toBe(there.outcomes[0]?.accepted)
})

it('several threads at once, each with its walker, make the blocks that TypeScript makes', async () => {
  const several = new Threads(
    3,
    AS_SENT,
    () => undefined,
    (error) => {
      throw error
    },
  )
  threads = several
  const bodies = Array.from({ length: 12 }, (_, n) => new SpanSource(n + 1, 1_767_225_600_000).request(300))
  const made = await Promise.all(
    bodies.map(async (body) => {
      const { calls } = await several.decode([{ ...exportOf(1), body }])
      const bytes = Buffer.from(calls!.bytes)
      several.stored(calls)
      return bytes
    }),
  )
  const block = new CallBlock('calls')
  const decoder = new OtlpDecoder(block, new CallBlock('calls_open'))
  bodies.forEach((body, n) => {
    block.clear()
    decoder.decodeBatch([requestOf(body, { project: 'a/b', userId: 'u' })], { ver: 0 })
    expect(made[n]!.equals(block.encode())).toBe(true)
  })
})
