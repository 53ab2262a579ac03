/** The services as `heddle` mounts them: the one place that knows how each is made. */
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import type { Parts, Service } from './service.js'

export function ingestService(
  _parts: Parts,
  _config: Pick<Config<typeof processes.ingest>, 'decodeThreads'>,
): Service {
  return { routes: [], stop: () => undefined }
}

export function queryService(
  _parts: Parts,
  _config: Pick<
    Config<typeof processes.query>,
    'querySeconds' | 'queryMemory' | 'queryReadBytes' | 'queriesPerKey'
  >,
): Service {
  return { routes: [], stop: () => undefined }
}
