/** Callers who go away in the middle of a request of an operation. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Endpoint } from '../support/endpoint.js'
import { type Operation, type Sent, targetOf } from './table/operation.js'

/** Sends a part of a request and breaks the connection: within its head, after it, within its body, and at its end. */
export async function leaveWithin(
  server: Endpoint,
  row: Operation,
  project: string,
  sent: Sent,
): Promise<void> {
  const whole = bytesOf(server, row, project, sent)
  const endOfHead = whole.indexOf('\r\n\r\n') + 4
  for (const length of [endOfHead - 10, endOfHead, (endOfHead + whole.length) >> 1, whole.length])
    await leaveAfter(server, whole.subarray(0, length))
}

/** A request as it goes over the wire. */
function bytesOf(server: Endpoint, row: Operation, project: string, sent: Sent): Buffer {
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
async function leaveAfter(server: Endpoint, bytes: Buffer): Promise<void> {
  const socket = connect(server.ports[0], '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise<void>((sent) => socket.write(bytes, () => sent()))
  socket.resetAndDestroy()
}
