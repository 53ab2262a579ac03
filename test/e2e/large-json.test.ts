/**
 * Bodies of millions of JSON values: only their sender waits for them. Judged by which answer comes
 * first, never by how long one takes.
 */
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const MIB = 1024 * 1024
const zeros = Buffer.alloc(15 * MIB, '0,')

/** A body of eight million numbers, between these two texts. */
const around = (before: string, after: string) =>
  Buffer.concat([Buffer.from(before), zeros, Buffer.from(after)])

/**
 * Sends all of `body` but its last byte, and that when the server has taken the rest. Resolves when the last byte is
 * sent; the answer's status comes later.
 */
async function sent(path: string, body: Uint8Array): Promise<{ status: Promise<number> }> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const status = new Promise<number>((resolve, reject) => {
    socket.once('data', (bytes) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1])))
    socket.once('error', reject)
  })
  const headers = { ...server.api.authorization, 'content-type': 'application/json' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
  )
  await new Promise((resolve) => socket.write(body.subarray(0, -1), resolve))
  // What still lies in between is taken a piece at each turn of the server, and each answer is a turn.
  for (let turn = 0; turn < 100; turn++) await server.api.get('/version')
  await new Promise((resolve) => socket.write(body.subarray(-1), resolve))
  return { status }
}

const numbers = (before: string) => around(`{${before}[`, '0]}')

describe('while a body of millions of numbers is read, others are answered', () => {
  const cases: [string, Buffer][] = [
    ['predictions', numbers('"model":5,"inputs":{},"output":')],
    ['scores', numbers('"prediction_id":5,"scorer":"x","value":')],
    ['models', numbers('"name":5,"source_code":"x","attributes":')],
    ['evaluation_runs/x/finish', numbers('"summary":')],
    ['datasets', numbers('"name":5,"rows":')],
    ['ops', numbers('"name":5,"x":')],
  ]
  it.each(cases)('%s', async (path, body) => {
    const large = await sent(v2(freshProject(), path), body)
    const order: string[] = []
    const status = large.status.then((code) => {
      order.push('large')
      return code
    })
    for (let turn = 0; turn < 3; turn++) {
      expect((await server.api.get('/version')).status).toBe(200)
      order.push('small')
    }
    expect([400, 413, 422]).toContain(await status)
    expect(order).toEqual(['small', 'small', 'small', 'large'])
  })
})

it('a prediction of millions of numbers is stored', async () => {
  const project = freshProject()
  const answer = await server.api.post(
    v2(project, 'predictions'),
    numbers('"model":"m","inputs":{"a":1.0},"output":'),
  )
  expect(answer.status).toBe(200)
  expect(await server.api.count(project)).toBe(1)
})

describe('where a body is read beside other work, it has no more values than an honest one', () => {
  const cases: [string, string][] = [
    ['/calls/stream_query', '"filter":{"call_ids":'],
    ['/calls/query_stats', '"query":{"$expr":{"$and":'],
    ['/calls/delete', '"call_ids":'],
    ['/refs/read_batch', '"refs":'],
  ]
  it.each(cases)('%s', async (path, before) => {
    const body = (count: number) =>
      `{"project_id":"${freshProject()}",${before}[${'1,'.repeat(count)}1]${'}'.repeat(before.split('{').length)}`
    const most = await server.api.post(path, body(60_000))
    expect([most.status, JSON.parse(most.text).detail]).toEqual([422, expect.any(Array)])
    const more = await server.api.post(path, body(1_000_000))
    expect([more.status, JSON.parse(more.text).code]).toEqual([413, 'TOO_MANY'])
  })
})
