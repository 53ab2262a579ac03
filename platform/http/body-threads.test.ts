/** Threads run what was built, so this does, too. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { declaredRoutes } from '../../contract/declared.js'
import { bodyOf } from './body-threads.js'

const built = pathToFileURL(join(import.meta.dirname, '../../dist/')).href
const { BodyThreads } = (await import(
  `${built}platform/http/body-threads.js`
)) as typeof import('./body-threads.js')
const threads = new BodyThreads(`${built}contract/declared.js`)
afterAll(() => threads.stop())

const spec = (await declaredRoutes()).get('calls_query_stats')!
const body = (more: object) => Buffer.from(JSON.stringify({ project_id: 'acme/one', ...more }))
/** The memory of a body is its own, as that of a request is. */
const alone = (bytes: Uint8Array) => new Uint8Array(bytes)
const ids = Array.from({ length: 10_000 }, (_, n) => `call-${n}`)

it('a large body is read in a thread as it is read here, and its memory goes there', async () => {
  const bytes = alone(body({ filter: { call_ids: ids } }))
  const here = bodyOf(spec, bytes)
  const read = threads.read(spec, bytes, 'acme')
  expect(read).toBeInstanceOf(Promise)
  expect(await read).toEqual(here)
  expect(bytes).toHaveLength(0)
})

it('a small one is read at once', () => {
  expect(threads.read(spec, body({}), 'acme')).toEqual(bodyOf(spec, body({})))
})

it.each([
  ['does not fit', body({ filter: { call_ids: [...ids, 7] } }), { code: 'INVALID_REQUEST', status: 422 }],
  ['is no JSON', Buffer.from(`{"a":"${'x'.repeat(100_000)}`), { code: 'BAD_BODY', status: 400 }],
  [
    'holds too much',
    body({ filter: { call_ids: Array(70_000).fill(1) } }),
    { code: 'TOO_MANY', status: 413 },
  ],
])('one that %s is refused as it is here', async (_, bytes, expected) => {
  const here = (() => {
    try {
      return bodyOf(spec, bytes)
    } catch (error) {
      return error
    }
  })() as { body: () => unknown }
  const there = (await Promise.resolve(threads.read(spec, alone(bytes), 'acme')).catch(
    (error: unknown) => error,
  )) as {
    body: () => unknown
  }
  expect(there).toMatchObject(expected)
  expect(there.body()).toEqual(here.body())
})
