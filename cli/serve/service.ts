/** The interface of services: what they provide, and what they get. Knows no service. */
import type { KeyRing } from '../../domain/auth/key-ring.js'
import type { Sessions } from '../../domain/auth/sessions.js'
import type { Masks } from '../../domain/masking/masks.js'
import type { People } from '../../domain/people/people.js'
import type { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Auditor } from '../../platform/http/audit.js'
import type { Bound, Reply } from '../../platform/http/request.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import type { Check } from '../../platform/telemetry/probes.js'

export interface Service {
  routes: readonly Bound[]
  /** what is also served over gRPC, by the paths of its methods */
  grpc?: ReadonlyMap<string, Bound>
  /** of the training interface, which has its own port */
  training?: boolean
  /** what browsers are shown where nothing is */
  page?: () => Reply
  /** checks of `/readyz` besides the store */
  checks?: Record<string, Check>
  start?(): Promise<void> | void
  stop(): Promise<void> | void
}

/** What every service may use. */
export interface Parts {
  store: Store
  /** over connections of its own */
  marks: ChangeMarks
  keys: KeyRing
  people: People
  sessions: Sessions
  metrics: Metrics
  log: Log
  /** masks texts before they are stored */
  masks: Masks
  /** of the audit log */
  auditor: Auditor
  version: string
  /** where this process serves the tracing interface, once it does */
  url: () => string | undefined
}
