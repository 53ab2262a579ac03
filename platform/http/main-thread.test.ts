/**
 * No body holds the main thread while it is read: for every route that is declared, long, wide, deep and wrong bodies
 * made from its own schema are parsed and validated, as large as the main thread reads them: larger ones go to threads.
 * What that uses of a processor is measured, not how long it takes.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { declaredRoutes } from '../../contract/declared.js'
import { HostileBodies, type Schema } from '../../test/support/hostile-bodies.js'
import { HeddleError } from '../errors/error.js'
import { SMALL } from '../threads/pool.js'
import { bodyOf } from './body-threads.js'

/** What one body may use of a processor, in milliseconds. */
const TURN_MS = 50
/** Another try: code that is cold, the collection of garbage, or who shares the processor. */
const TRIES = 3
const LARGEST = { bytes: SMALL - 2_000, values: SMALL }

const declared = [...(await declaredRoutes()).values()]
const routes = declared.filter((one) => one.body && !one.raw && !one.streamed)

/** What this thread has used of a processor, in milliseconds. */
function used(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

it('finds the routes', () => {
  expect(routes.length).toBeGreaterThan(40)
})

it.each(routes.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
  '%s',
  { timeout: 120_000 },
  (_, spec) => {
    const schema = z.toJSONSchema(spec.body!, { io: 'input', unrepresentable: 'any' }) as Schema & {
      $defs?: Record<string, Schema>
    }
    const bodies = new HostileBodies(schema.$defs ?? {}, { project_id: 'acme/one' })
    const slow: string[] = []
    const read = (bytes: Uint8Array) => {
      const before = used()
      let value: unknown
      try {
        value = bodyOf(spec, bytes)
      } catch (error) {
        if (!(error instanceof HeddleError)) throw error
      }
      const ms = used() - before
      // As it comes out of a thread.
      expect(isDeepStrictEqual(structuredClone(value), value)).toBe(true)
      return ms
    }
    for (const { name, body } of bodies.all(schema, LARGEST)) {
      const bytes = Buffer.from(body)
      expect(bytes.length).toBeLessThan(SMALL)
      let ms = read(bytes)
      for (let i = 1; i < TRIES && ms > TURN_MS; i++) ms = Math.min(ms, read(bytes))
      if (ms > TURN_MS) slow.push(`${name}: ${ms.toFixed(0)} ms, ${bytes.length} bytes`)
    }
    expect(slow).toEqual([])
  },
)
