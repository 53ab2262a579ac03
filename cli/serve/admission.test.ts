/** Every route of every service has an admission: counted by key and account, or by its bytes, or it says why not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIngest } from '../../ingest/ingest.js'
import { Store } from '../../platform/clickhouse/store.js'
import { App } from '../../platform/http/app.js'
import { ConcurrencyLimit } from '../../platform/http/concurrency-limit.js'
import { Principal } from '../../platform/http/principal.js'
import type { Bound } from '../../platform/http/request.js'
import { LocalLeases } from '../../platform/leases/local.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import { openLog } from '../../platform/telemetry/log.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { createTrainingApi } from '../../training-api/training-api.js'
import { createReads } from './reads.js'

// Nothing here is reached: a caller at its limit is refused before any statement.
const nowhere = new Store({ url: 'http://127.0.0.1:9' })
const metrics = new Metrics(() => 0)
const log = openLog({ level: 'fatal', format: 'json', role: 'test' })
const query = createReads({ store: nowhere, version: '0' })
const ingest = createIngest({ store: nowhere, metrics, log, threads: 1 })
const outbound = new Outbound({ allowPrivate: [] })
const training = createTrainingApi({
  ...{ store: nowhere, metrics, log, version: '0', tracingUrl: () => undefined, outbound },
  ...{
    leases: new LocalLeases(),
    storage: undefined,
    images: { most: 0, bytes: 0, pixels: 0, outbound: undefined },
    jobLimit: 0,
    dataLimit: 1 << 20,
    batchLimit: 3,
    fileLimit: 1 << 20,
    redisUrl: 'redis://127.0.0.1:9',
  },
  ...{ waiting: { most: 1, perEntity: 1, perKey: 1 }, chatSeconds: 1, nodeReturnSeconds: 1 },
  ...{ requestsPerMinute: 0, tokensPerMinute: 0 },
})
const ports = [[...query.routes, ...ingest.routes], training.routes]
const nothing = { perKey: 0, perAccount: 0 }
const full = new ConcurrencyLimit(nothing, nothing)
const apps = ports.map(
  (routes) =>
    new App(routes, {
      heldBytes: 1 << 20,
      limit: full,
      authenticate: () => new Principal('u', 'u', [{ scope: '*', right: 'admin' }], 'k'),
    }),
)
/** Parameters that some routes require. */
const QUERY =
  'project_id=acme/one&evaluation_run_ids=x&prediction_ids=x&score_ids=x&project=x&expires=1&signature=x&datasetName=x&datasetId=x&runName=x&query=x&bytes=1&scope=acme'
const urls: string[] = []

beforeAll(async () => {
  for (const app of apps) urls.push(`http://127.0.0.1:${await app.listen(0)}`)
})
afterAll(async () => {
  for (const app of apps) await app.stop(0)
  await Promise.all([query.stop(), outbound.close(), nowhere.close()])
})

const counted = ({ spec, admit }: Bound) => spec.unlimited === undefined && admit === undefined
const nameOf = ({ spec }: Bound) => `${spec.method} ${spec.path}`

describe.each(ports.map((routes, port) => [port, routes] as const))('port %i', (port, routes) => {
  it.each(routes.filter(counted).map((bound) => [nameOf(bound), bound] as const))(
    '%s answers 429 to a key at its limit',
    async (_name, { spec }) => {
      const path = spec.path
        .replace('{step}', 'latest')
        .replace('{version}', '1')
        .replaceAll(/\{(\w+)\}/g, 'acme')
      const answer = await fetch(`${urls[port]}${path}?${QUERY}`, {
        method: spec.method,
        ...(['POST', 'PUT', 'PATCH'].includes(spec.method) ? { body: '{}' } : {}),
      })
      expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('at once')])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    },
  )

  it('has few routes that are not counted, and these say why', () => {
    const rest = routes.filter((bound) => !counted(bound))
    const reasons = rest.map((bound) => [nameOf(bound), bound.spec.unlimited ?? (bound.admit && 'bytes')])
    expect(reasons).toMatchSnapshot()
    // What is counted by its bytes is collected as bytes.
    const mayBe = ({ spec }: Bound) =>
      spec.unlimited === undefined
        ? spec.raw === true && spec.access === 'write'
        : spec.access === 'public' ||
          /^\/v1\/(chat|embeddings|messages|responses|completions)/.test(spec.path)
    expect(rest.filter((bound) => !mayBe(bound)).map(nameOf)).toEqual([])
  })
})
