/** Serves `/metrics`, `/livez` and `/readyz` on a port of their own, without a key. Knows nothing of the checks. */
import { z } from 'zod'
import { App } from '../http/app.js'
import { nobody } from '../http/principal.js'
import { Reply, serve } from '../http/request.js'
import { route } from '../http/route.js'
import type { Metrics } from './metrics.js'

/** Why this process should get no requests now; undefined if it should. */
export type Check = () => string | undefined | Promise<string | undefined>

const probe = { tag: 'probes', access: 'public', project: 'none', answer: z.unknown() } as const

/** The app of the metrics port; call `listen` on it, and `stop` it last. */
export function probes(metrics: Metrics, checks: Record<string, Check>): App {
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
        const found = await Promise.all(
          Object.entries(checks).map(async ([name, check]) => [name, (await check()) ?? 'ok'] as const),
        )
        const ready = found.every(([, state]) => state === 'ok')
        return Reply.json(
          { status: ready ? 'ok' : 'not ready', checks: Object.fromEntries(found) },
          ready ? 200 : 503,
        )
      },
    ),
  ]
  const here = 'here are /metrics, /livez and /readyz'
  return new App(routes, { heldBytes: 1 << 20, authenticate: () => nobody, here })
}
