/** What the routes of this service are made of: each thing once a process, made in `routes.ts`. */
import type { Arrival } from '../domain/calls/arrival.js'
import type { Chat } from '../domain/chat/chat.js'
import type { Directory } from '../domain/people/directory.js'
import type { ProjectRegister } from '../domain/projects/register.js'
import type { Resolve } from '../domain/refs/expand.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import type { Leases } from '../platform/leases/lease.js'
import type { EvaluationNotifier } from './evaluation/server/notifier.js'
import type { SignedUrls } from './files/signed-urls.js'
import type { FileStore } from './files/store.js'
import type { VersionFinder } from './objects/find.js'
import type { LabelStore } from './objects/labels.js'
import type { ObjectReader } from './objects/reader.js'
import type { ObjectWriter } from './objects/writer.js'
import type { ProviderAccess } from './provider-access.js'
import type { RefReader } from './refs/resolve.js'
import type { TableReader } from './tables/reader.js'
import type { TableWriter } from './tables/writer.js'
import type { Workers } from './workers/workers.js'

export interface Parts extends ProviderAccess {
  store: Store
  /** what one statement may use that reads much */
  limits: Required<Limits>
  leases: Leases
  /** the users, and what they may do */
  directory: Directory
  register: ProjectRegister
  workers: Workers
  objectReader: ObjectReader
  objectWriter: ObjectWriter
  finder: VersionFinder
  labels: LabelStore
  tableReader: TableReader
  tableWriter: TableWriter
  files: FileStore
  fileUrls: SignedUrls
  refs: RefReader
  resolve: Resolve
  /** of the workers that run evaluations; undefined: there are none */
  notifier: EvaluationNotifier | undefined
  arrival: Arrival
  /** of this service; undefined: no models are served here */
  chat: Chat | undefined
}
