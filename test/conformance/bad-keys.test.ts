/**
 * Nobody harms the others by a key that is none, or by going away in the middle: every operation of the table is asked
 * so, and the same processes answer afterwards.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshProject, hex } from '../support/ids.js'
import { descendants, isAlive } from '../support/processes.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { nameOf, type Operation, type Sent, send, targetOf } from './table/operation.js'
import { beyondContract, table } from './table/table.js'

let server: SharedServer
let processes: number[]
beforeAll(async () => {
  server = await sharedServer()
  processes = descendants(server.pid)
})

describe.each([...table, ...beyondContract].map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
  it('outlives callers without a key and those who leave', async () => {
    const world = { api: server.api, project: freshProject(), secret: `secret-${hex(6)}` }
    const { valid } = await row.make(world)
    const stranger = server.api.as(`unknown-${hex(16)}`)
    const refusedFirst = { ...valid, headers: { ...valid.headers, 'content-encoding': 'br' } }
    if (row.right !== 'public')
      for (const sent of [valid, refusedFirst])
        expect((await send(stranger, row, world.project, sent)).status).toBeGreaterThanOrEqual(400)

    const whole = bytesOf(row, world.project, valid)
    const endOfHead = whole.indexOf('\r\n\r\n') + 4
    for (const length of [endOfHead - 10, endOfHead, (endOfHead + whole.length) >> 1, whole.length])
      await leaveAfter(whole.subarray(0, length))

    expect((await server.api.get('/health')).status).toBe(200)
    expect([isAlive(server.pid), descendants(server.pid)]).toEqual([true, processes])
  })
})

/** A request as it goes over the wire. */
function bytesOf(row: Operation, project: string, sent: Sent): Buffer {
  const { body, headers } = sent
  const payload =
    body instanceof Uint8Array || typeof body === 'string'
      ? Buffer.from(body)
      : Buffer.from(JSON.stringify(body ?? {}))
  const all = {
    host: 'localhost',
    ...server.api.authorization,
    ...(row.method === 'GET' ? {} : { 'content-type': 'application/json', 'content-length': payload.length }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${sent.method ?? row.method} ${targetOf(row, project, sent)} HTTP/1.1\r\n${lines.join('')}\r\n`
  return row.method === 'GET' ? Buffer.from(head) : Buffer.concat([Buffer.from(head), payload])
}

/** Sends these bytes and breaks the connection, without waiting for anything. */
async function leaveAfter(bytes: Buffer): Promise<void> {
  const socket = connect(server.ports[0], '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise<void>((sent) => socket.write(bytes, () => sent()))
  socket.resetAndDestroy()
}
