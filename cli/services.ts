/** The services as `heddle` mounts them: the one place that knows how each is made. */
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { createQuery } from '../query/routes.js'
import type { Parts, Service } from './service.js'

export function ingestService(
  _parts: Parts,
  _config: Pick<Config<typeof processes.ingest>, 'decodeThreads'>,
): Service {
  return { routes: [], stop: () => undefined }
}

/** @param others services on the same port, described in the same document */
export function queryService({ store, version }: Parts, others: readonly Service[] = []): Service {
  const specs = others.flatMap(({ routes }) => routes.map(({ spec }) => spec))
  return { ...createQuery({ store, version, others: specs }), stop: () => undefined }
}
