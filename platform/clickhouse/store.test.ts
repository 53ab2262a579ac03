import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { sql } from './sql.js'
import { Store } from './store.js'

let server: Server | undefined
let store: Store | undefined
afterEach(async () => {
  await store?.close()
  server?.closeAllConnections()
  server?.close()
})

/** A store at an address where something else than ClickHouse answers. */
async function storeAt(answer: RequestListener): Promise<Store> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  store = new Store({ url: `http://127.0.0.1:${port}` })
  return store
}

it.each([
  [431, 'STORE_REFUSED'],
  [413, 'STORE_REFUSED'],
  [429, 'STORE_BUSY'],
  [502, 'STORE_UNAVAILABLE'],
])('an insert that is answered %s by a server of HTTP: %s', async (status, code) => {
  const at = await storeAt((request, response) => {
    request.resume()
    response.writeHead(status).end()
  })
  await expect(at.insertRows('calls', [{ id: 'a' }])).rejects.toMatchObject({ code })
})

it('a reader that goes away ends a stream that has nothing to give', async () => {
  let closed: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    closed = resolve
  })
  const at = await storeAt((_, response) => {
    response.writeHead(200).write('first')
    response.once('close', closed)
  })
  const gone = new AbortController()
  const reading = (await at.stream(sql`SELECT 1`, 'TSV', { signal: gone.signal }))[Symbol.asyncIterator]()
  expect(Buffer.from((await reading.next()).value as Uint8Array).toString()).toBe('first')
  const next = reading.next()
  gone.abort()
  await expect(next).rejects.toThrow()
  await over
})

it.each([
  [431, 'LIMIT_HIT'],
  [502, 'STORE_UNAVAILABLE'],
])('a stream that is answered %s by a server of HTTP: %s', async (status, code) => {
  const at = await storeAt((_, response) => {
    response.writeHead(status).end()
  })
  await expect(at.stream(sql`SELECT 1`, 'TSV')).rejects.toMatchObject({ code })
})

it.each([
  [{}, null],
  [{ cluster: 'main' }, 'auto'],
  [{ cluster: 'main', quorum: '3' }, '3'],
])('an insert of %j waits for so many replicas: %s', async (options, quorum) => {
  let asked: URLSearchParams | undefined
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server = createServer((request, response) => {
      asked = new URL(request.url ?? '/', 'http://store').searchParams
      request.resume().once('end', () => response.end())
    }).listen(0, '127.0.0.1', () => resolve(server?.address() as AddressInfo))
  })
  store = new Store({ url: `http://127.0.0.1:${port}`, ...options })
  await store.insertRows('calls', [{ id: 'a' }])
  expect(asked?.get('insert_quorum') ?? null).toBe(quorum)
})
