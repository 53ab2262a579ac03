/**
 * No body holds the main thread while it is read: for every route that is declared, long, wide, deep and wrong bodies
 * made from its own schema are parsed and validated, and what that uses of a processor is measured, not how long it takes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { HeddleError } from '../errors/error.js'
import { HostileBodies, type Schema } from '../testing/hostile-bodies.js'
import { parseJson, validate } from './json-body.js'
import type { RouteSpec } from './route.js'

/** What one body may use of a processor, in milliseconds. */
const TURN_MS = 50
/** Shared and slow processors, garbage collection and cold code: the same body differs by so much. */
const MARGIN = 3

const contract = join(import.meta.dirname, '../../contract')
const routes: RouteSpec[] = []
for (const file of readdirSync(contract)) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
  const exported = Object.values((await import(join(contract, file))) as Record<string, unknown>).flat()
  for (const one of exported) if (isRoute(one) && one.body && !one.raw && !one.streamed) routes.push(one)
}

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value
}

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
    for (const { name, body } of bodies.of(schema)) {
      const bytes = Buffer.from(body)
      const before = used()
      try {
        validate(spec.body!, parseJson(bytes, spec.maxValues), 'body')
      } catch (error) {
        if (!(error instanceof HeddleError)) throw error
      }
      const ms = used() - before
      if (ms > TURN_MS * MARGIN) slow.push(`${name}: ${ms.toFixed(0)} ms, ${bytes.length} bytes`)
    }
    expect(slow).toEqual([])
  },
)
