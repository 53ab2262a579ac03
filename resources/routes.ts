/** The tracing interface but for calls: objects, tables, files, refs, feedback, evaluations and the rest, over one store. */

import type { Sessions } from '../domain/auth/sessions.js'
import { type Arrival, AS_SENT } from '../domain/calls/arrival.js'
import type { AddedToLines } from '../domain/calls/read/added.js'
import type { Chat } from '../domain/chat/chat.js'
import { LangfuseScores } from '../domain/feedback/langfuse-scores.js'
import { Masks } from '../domain/masking/masks.js'
import { Directory } from '../domain/people/directory.js'
import { People } from '../domain/people/people.js'
import { ProjectRegister } from '../domain/projects/register.js'
import type { Resolve } from '../domain/refs/expand.js'
import { READ_LIMITS } from '../platform/clickhouse/read-limits.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import { service } from '../platform/fairness/caller.js'
import type { Auditor } from '../platform/http/audit.js'
import type { Bound } from '../platform/http/request.js'
import type { Leases } from '../platform/leases/lease.js'
import { LocalLeases } from '../platform/leases/local.js'
import { type AlertingOptions, alerting } from './alerting/alerting.js'
import { annotationRoutes } from './annotation/routes.js'
import { auditRoutes } from './audit/routes.js'
import { AuditStream, type AuditStreamOptions } from './audit/stream.js'
import { completionRoutes } from './completions/routes.js'
import { datasetSourceRoutes } from './datasets/routes.js'
import { evaluationParts, evaluationRoutes } from './evaluation/routes.js'
import { EvaluationNotifier, type EvaluationQueue } from './evaluation/server/notifier.js'
import { ServerRuns } from './evaluation/server/runs.js'
import { feedbackOfLines } from './feedback/lines.js'
import { feedbackRoutes } from './feedback/routes.js'
import { fileRoutes } from './files/routes.js'
import { SignedUrls } from './files/signed-urls.js'
import { FileStore, type Outside } from './files/store.js'
import { imageRoutes } from './images/routes.js'
import type { ModelNodes } from './inference/nodes.js'
import { inferenceRoutes } from './inference/routes.js'
import { keyRoutes } from './keys/routes.js'
import { langfuseDatasets } from './langfuse/datasets/routes.js'
import { langfuseExperiments } from './langfuse/experiments/routes.js'
import { langfuseRoutes } from './langfuse/routes.js'
import { maskingRoutes } from './masking/routes.js'
import { MentionMail } from './mentions/mail.js'
import { Mentions } from './mentions/mentions.js'
import { Readers } from './mentions/readers.js'
import { mentionRoutes } from './mentions/routes.js'
import { type Monitors, monitorsOf } from './monitoring/monitors.js'
import { monitoringRoutes } from './monitoring/routes.js'
import { SignalWatch } from './monitoring/signal-watch.js'
import { MonitorWatch, type MonitorWatchOptions } from './monitoring/watch.js'
import { type NotificationOptions, type Notifications, notifications } from './notifications/notifications.js'
import { VersionFinder } from './objects/find.js'
import { labelRoutes } from './objects/label-routes.js'
import { LabelStore } from './objects/labels.js'
import { ObjectReader } from './objects/reader.js'
import { objectRoutes } from './objects/routes.js'
import { ObjectWriter } from './objects/writer.js'
import type { Parts } from './parts.js'
import { peopleRoutes } from './people/routes.js'
import { projectRoutes } from './project/routes.js'
import { settingsRoutes } from './project/settings.js'
import { type ProviderOptions, providerAccess } from './provider-access.js'
import { resolver } from './refs/expander.js'
import { RefReader } from './refs/resolve.js'
import { refRoutes } from './refs/routes.js'
import { registryRoutes } from './registry/routes.js'
import { rules } from './rules/rules.js'
import { runtimeRoutes } from './runtimes/routes.js'
import { scimRoutes } from './scim/routes.js'
import { Health } from './service/health.js'
import { serviceRoutes } from './service/routes.js'
import { sessionRoutes } from './session/routes.js'
import { type Sharing, type SharingOptions, sharing } from './sharing/sharing.js'
import { type SignIn, type SignInOptions, signIn } from './sign-in/sign-in.js'
import { TableReader } from './tables/reader.js'
import { tableRoutes } from './tables/routes.js'
import { TableWriter } from './tables/writer.js'
import { trainingRoutes } from './training/routes.js'
import { Workers } from './workers/workers.js'

export interface ResourceOptions {
  store: Store
  /** of people who sign in to the pages; default: nobody can */
  sessions?: Sessions
  /** whose rights keys and sessions have; default: its own */
  people?: People
  /** of this program */
  version: string
  /** default: one of its own */
  register?: ProjectRegister
  /** default: within this process */
  leases?: Leases
  /** where large files lie; default: in the store */
  outside?: Outside | undefined
  /** what one statement may use that reads much */
  limits?: Limits
  /** default: none has a key, and none in private networks is asked */
  providers?: ProviderOptions
  /** of the workers that run evaluations; default: there are none */
  evaluationQueue?: EvaluationQueue | undefined
  /** applies monitors, if there is an evaluation queue; default: not here */
  monitoring?:
    | (Pick<MonitorWatchOptions, 'perDay' | 'cost' | 'marks' | 'log' | 'metrics'> & { signals: boolean })
    | undefined
  /** what alerts measure over a store; default: there are no alerts */
  alertValues?: AlertingOptions['values']
  /** checks alerts and applies rules; default: not here */
  watch?: AlertingOptions['watch']
  /** of what rules do; default: there is no audit log */
  auditor?: Auditor
  /** how people are notified; default: without mail and links */
  notifications?: NotificationOptions
  /** how people sign in without a key; default: they don't */
  signIn?: SignInOptions | undefined
  /** of links for people without a key; default: there are none */
  sharing?: SharingOptions
  /** sends lines of the audit log; default: nowhere */
  auditStream?: AuditStreamOptions | undefined
  /** default: none are up */
  nodes?: ModelNodes
  /** what happens to calls before they are stored; default: nothing */
  arrival?: Arrival
  /** masks texts before they are stored, over the same store; default: nothing is masked */
  masks?: Masks
  /** of the models that are served here; default: none are */
  chat?: Chat
  /** address of the training interface, read when it is needed; default: there is none */
  trainingUrl?: () => string | undefined
}

export interface Resources {
  routes: Bound[]
  /** what refs inside calls point at */
  resolve: Resolve
  /** feedback, put into lines of calls */
  feedback: AddedToLines
  /** the routes of links, over those of the pages */
  linksOver: Sharing['routesOver']
  start(): Promise<void>
  stop(): Promise<void>
}

/** Builds the service. Stop it when its last request is answered. */
export function createResources(options: ResourceOptions): Resources {
  const { store, version, leases = new LocalLeases(), nodes = async () => [] } = options
  const { register = new ProjectRegister(store) } = options
  const people = options.people ?? new People(store)
  const limits = { ...READ_LIMITS, ...options.limits }
  const objectReader = new ObjectReader(store)
  const labels = new LabelStore(store)
  const finder = new VersionFinder(objectReader, labels)
  const objectWriter = new ObjectWriter(store, { onStored: (creation) => objectReader.note(creation) })
  const tableReader = new TableReader(store, limits)
  const refs = new RefReader(finder, objectReader, (keys) => tableReader.texts(keys), register)
  const workers = new Workers()
  const tableWriter = new TableWriter(store, workers)
  const files = new FileStore(store, options.outside)
  const access = providerAccess(store, options.providers)
  const resolve = resolver(refs, register)
  const notifier =
    options.evaluationQueue === undefined ? undefined : new EvaluationNotifier(options.evaluationQueue)
  const parts: Parts = {
    ...access,
    ...{ store, limits, leases, register, workers, labels, finder, files, refs, resolve, notifier },
    fileUrls: new SignedUrls(store),
    directory: new Directory(store, leases, people),
    ...{ objectReader, objectWriter, tableReader, tableWriter, chat: options.chat },
    arrival: options.arrival ?? AS_SENT,
  }
  const evaluations = evaluationParts(parts)
  const runs = new ServerRuns(evaluations)
  const monitors = monitorsOf(evaluations, runs)
  const watches = watchesOf({ ...options, register }, monitors, runs)
  const { notifications: notifying = { mail: undefined, url: NOWHERE } } = options
  const channels = notifications(notifying, parts, options.providers)
  const readers = new Readers(store, people)
  const mentions = new Mentions(store, readers, channels.mailer.sends)
  const mail = mentionMailOf(options, channels, register, people)
  const { alertValues: values, watch: watching, trainingUrl = NOWHERE } = options
  const alerts = values && alerting({ values, watch: watching }, parts, channels)
  const ruling = rules({
    ...{ parts: evaluations, runs, notifications: channels, trainingUrl, watch: watching },
    auditor: options.auditor,
  })
  const auditStream =
    options.auditStream && new AuditStream(store.as(service('audit')).inBackground(), options.auditStream)
  const signing =
    options.sessions && signIn(options.signIn, notifying, { ...parts, sessions: options.sessions })
  const links = sharing(options.sharing ?? { daysMost: 0, url: undefined }, parts)
  const health = new Health(store.as(service('health')))
  const datasets = langfuseDatasets(parts)
  const experiments = langfuseExperiments(parts, datasets)
  const scores = new LangfuseScores(store)
  const routes = [
    ...feedbackRoutes(parts, mentions),
    ...objectRoutes(parts),
    ...labelRoutes(parts),
    ...fileRoutes(parts),
    ...refRoutes(parts),
    ...tableRoutes(parts),
    ...mentionRoutes(parts, readers),
    ...annotationRoutes(parts),
    ...evaluationRoutes(evaluations, runs),
    ...monitoringRoutes(evaluations, monitors, runs, options.monitoring?.signals ?? false),
    ...(alerts?.routes ?? []),
    ...channels.routes,
    ...ruling.routes,
    ...registryRoutes(parts),
    ...imageRoutes(parts),
    ...completionRoutes(parts),
    ...projectRoutes(parts),
    ...settingsRoutes(parts),
    ...maskingRoutes(parts, options.masks ?? new Masks(store)),
    ...datasetSourceRoutes(parts),
    ...runtimeRoutes(parts),
    ...keyRoutes(parts),
    ...peopleRoutes(parts, options.sessions),
    ...scimRoutes(parts),
    ...auditRoutes(parts, version),
    ...inferenceRoutes(nodes),
    ...trainingRoutes(trainingUrl),
    ...sessionsOf(options, signing),
    ...experiments.followed([
      ...langfuseRoutes({ ...parts, health, version, scores }),
      ...datasets.routes,
      ...experiments.routes,
    ]),
    ...serviceRoutes({ health, register, version }),
  ]
  return {
    routes,
    resolve,
    feedback: feedbackOfLines(store, limits),
    linksOver: (pages) => links.routesOver(pages),
    start: async () => {
      await datasets.start()
      for (const one of watches) one.start()
      alerts?.start()
      ruling.start()
      auditStream?.start()
      links.start()
      mail?.start()
    },
    stop: async () => {
      await Promise.all([
        ...watches.map((one) => one.stop()),
        alerts?.stop(),
        ruling.stop(),
        auditStream?.stop(),
        mail?.stop(),
      ])
      await Promise.all([channels.stop(), signing?.stop()])
      await Promise.all([datasets.stop(), experiments.stop(), links.stop()])
      scores.stop()
      await Promise.all([workers.stop(), access.outbound.close(), notifier?.close()])
    },
  }
}

const NOWHERE = () => undefined

function sessionsOf({ sessions }: ResourceOptions, signing: SignIn | undefined): Bound[] {
  if (sessions === undefined || signing === undefined) return []
  const leave = signing.flow.leave.bind(signing.flow)
  return [...sessionRoutes(sessions, leave), ...signing.routes]
}

function watchesOf(
  { store, evaluationQueue, monitoring, register }: ResourceOptions & { register: ProjectRegister },
  monitors: Monitors,
  runs: ServerRuns,
): (MonitorWatch | SignalWatch)[] {
  if (monitoring === undefined || evaluationQueue === undefined) return []
  const { signals, perDay, cost, ...watching } = monitoring
  const both = { ...watching, runs, redisUrl: evaluationQueue.url }
  const of = (name: string) => store.as(service(name)).inBackground()
  return [
    new MonitorWatch({ ...both, perDay, cost, monitors, store: of('monitors') }),
    ...(signals ? [new SignalWatch({ ...both, register, store: of('signals') })] : []),
  ]
}

/** undefined: no mail is sent, or nobody decides which process does */
function mentionMailOf(
  { store, watch }: ResourceOptions,
  { mailer, callOf }: Notifications,
  register: ProjectRegister,
  people: People,
): MentionMail | undefined {
  if (!mailer.sends || watch === undefined) return undefined
  const own = store.as(service('mentions')).inBackground()
  return new MentionMail({
    ...{ ...watch, mailer, store: own, readers: new Readers(own, people), urlOf: callOf },
    learn: (ids) => register.learn(ids),
    nameOf: (id) => register.nameOf(id),
  })
}
