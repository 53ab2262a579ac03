/** Pages of the one server of all flows. */
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { Endpoint, KEY } from '../../test/support/endpoint.js'
import { freshPageOf, type Size, visitOf } from './chromium.js'

export { inspect } from './chromium.js'

const ports = inject('flowPorts')
export const server = new Endpoint(ports, {
  ...process.env,
  HEDDLE_PORT: String(ports[0]),
  HEDDLE_METRICS_PORT: String(ports[1]),
  HEDDLE_DATA_DIR: inject('flowData'),
  HEDDLE_DEV_API_KEY: KEY,
})

/** A page in a browser of its own that knows nobody. */
export const freshPage = (size?: Size): Promise<Page> => freshPageOf(server, size)

/** The page at `path`, signed in. */
export const visit = (path: string, key = server.key, size?: Size): Promise<Page> =>
  visitOf(server, path, key, size)
