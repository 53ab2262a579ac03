/** Serves `/metrics`, `/livez` and `/readyz` on a port of their own, without a key. */
import { z } from 'zod'
import { App } from '../http/app.js'
import { nobody } from '../http/principal.js'
import { Reply, serve } from '../http/request.js'
import { route } from '../http/route.js'
import type { Metrics } from './metrics.js'

/** Why this process should get no requests now; undefined if it should. */
export type Check = () => string | undefined | Promise<string | undefined>

const probe = { tag: 'probes', access: 'public', project: 'none', answer: z.unknown() } as const

/** Checks of one kind and what they found. */
async function found(
  checks: Record<string, Check>,
): Promise<{ isWell: boolean; said: Record<string, string> }> {
  const all = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, (await check()) ?? 'ok'] as const),
  )
  return { isWell: all.every(([, state]) => state === 'ok'), said: Object.fromEntries(all) }
}

/**
 * The app of the metrics port; call `listen` on it, and `stop` it last.
 * @param writes what only requests that write need
 */
export function probes(
  metrics: Metrics,
  checks: Record<string, Check>,
  writes: Record<string, Check> = {},
): App {
  const routes = [
    serve(
      route({ ...probe, id: 'metrics', method: 'GET', path: '/metrics', summary: 'Numbers for Prometheus.' }),
      async () => new Reply(200, metrics.registry.contentType, await metrics.registry.metrics()),
    ),
    // The answer itself is the proof: a process whose event loop hangs gives none.
    serve(
      route({ ...probe, id: 'livez', method: 'GET', path: '/livez', summary: 'The process is alive.' }),
      () => ({ status: 'ok' }),
    ),
    serve(
      route({
        ...probe,
        id: 'readyz',
        method: 'GET',
        path: '/readyz',
        summary: 'The process is ready for requests.',
      }),
      async () => {
        const [now, toWrite] = await Promise.all([found(checks), found(writes)])
        const status = !now.isWell ? 'not ready' : toWrite.isWell ? 'ok' : 'reads only'
        const said = { ...now.said, ...toWrite.said }
        return Reply.json({ status, checks: said }, now.isWell ? 200 : 503)
      },
    ),
    serve(
      route({
        ...probe,
        id: 'readyz_writes',
        method: 'GET',
        path: '/readyz/writes',
        summary: 'The process is ready for requests that write.',
      }),
      async () => {
        const { isWell, said } = await found({ ...checks, ...writes })
        return Reply.json({ status: isWell ? 'ok' : 'not ready', checks: said }, isWell ? 200 : 503)
      },
    ),
  ]
  const here = 'here are /metrics, /livez, /readyz and /readyz/writes'
  return new App(routes, { heldBytes: 1 << 20, authenticate: () => nobody, here })
}
