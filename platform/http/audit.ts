/**
 * Writes the use of audited routes to the audit log: a line before the handler is called, one when it is done. Knows
 * neither how lines are stored, nor any route.
 */
import { errors } from '../errors/catalog.js'
import { HeddleError } from '../errors/error.js'
import { isProjectName } from '../ids/project.js'
import { forwardedFor } from './forwarded.js'
import { nobody, type Principal } from './principal.js'
import type { Noted, Reply, Request } from './request.js'
import type { Audit, AuditCategory, RouteSpec } from './route.js'

/** What somebody does. */
export interface AuditEvent {
  /** the route's id, or a command */
  action: string
  category: AuditCategory | ''
  userId: string
  username: string
  keyId: string
  /** of the client, as far as trusted proxies say */
  remoteAddress: string
  /** what proxies said of it, also those that nobody trusts */
  forwardedFor: string
  requestId: string
  /** empty: not known, or of none */
  entity: string
  project: string
  target: Readonly<Record<string, unknown>>
}

/** How it went. */
export interface Result {
  /** HTTP status */
  status: number
  /** empty: there is none */
  errorCode: string
}

/** Ends what was begun; never rejects. @param event as it is known by then */
export type End = (event: AuditEvent, result: Result) => Promise<void>

/** Keeps the audit log. */
export interface Auditor {
  /** Resolves when the line is durable. @throws `AUDIT_UNAVAILABLE` (503) */
  begin(event: AuditEvent): Promise<End>
  /** Writes what is begun and ended at once. @throws `AUDIT_UNAVAILABLE` (503) */
  done(event: AuditEvent, result: Result): Promise<void>
  /** Notes what was not let in; writes a limited number of them. Never rejects. */
  refused(event: AuditEvent, result: Result): Promise<void>
}

/** What is known of a request: of one that was refused, maybe not all. */
type Known = Partial<Pick<Request, 'principal' | 'params' | 'query' | 'body' | 'remoteAddress' | 'note'>>

interface Head {
  headers: ReadonlyMap<string, string>
  requestId: string
}

/** Calls the handler of an audited route, between its lines. */
export async function audited(
  auditor: Auditor,
  spec: RouteSpec,
  request: Request,
  head: Head,
  handled: () => Promise<Reply>,
): Promise<Reply> {
  const facts: Noted[] = []
  request.note = (noted) => void facts.push(noted)
  const event = () => facts.reduce(withNoted, auditEventOf(spec, request, head))
  if (spec.audit?.once) {
    try {
      const reply = await handled()
      await auditor.done(event(), { status: reply.status, errorCode: '' })
      return reply
    } catch (error) {
      if (isRefusal(error)) await auditor.refused(event(), resultOf(error))
      throw error
    }
  }
  return betweenLines(auditor, event, handled, ({ status }) => status)
}

/**
 * Does `work` between its lines of the audit log.
 * @param event as it is known when a line is written @param statusOf its result; default: 200
 * @throws `AUDIT_UNAVAILABLE` (503) before the work, and what the work throws
 */
export async function betweenLines<T>(
  auditor: Auditor,
  event: () => AuditEvent,
  work: () => Promise<T>,
  statusOf: (done: T) => number = () => 200,
): Promise<T> {
  const end = await auditor.begin(event())
  try {
    const done = await work()
    await end(event(), { status: statusOf(done), errorCode: '' })
    return done
  } catch (error) {
    await end(event(), resultOf(error))
    throw error
  }
}

/** The statuses of what somebody may not do, or shows no key for. */
export const REFUSED: readonly number[] = [401, 403, 429]

/** Whether somebody may not do something, or shows no key that would say. */
export function isRefusal(error: unknown): error is HeddleError {
  return error instanceof HeddleError && REFUSED.includes(error.status)
}

/** How a request with this error is answered. */
export function resultOf(error: unknown): Result {
  const { status, code } = error instanceof HeddleError ? error : errors.internal()
  return { status, errorCode: code }
}

/** What a request does, as far as it is known. */
export function auditEventOf(
  { id, audit }: RouteSpec,
  request: Known,
  { headers, requestId }: Head,
): AuditEvent {
  const { principal = nobody, remoteAddress = '' } = request
  const { project, entity } = placeIn(request)
  return {
    ...{ action: id, category: audit?.category ?? '', requestId, remoteAddress },
    ...callerOf(principal),
    forwardedFor: forwardedFor(headers),
    ...{ project, entity: entity || accountOf(principal) },
    target: targetOf(audit, request),
  }
}

function withNoted(event: AuditEvent, { principal, project, entity, target }: Noted): AuditEvent {
  return {
    ...event,
    ...(principal && { ...callerOf(principal), entity: accountOf(principal) }),
    ...(entity !== undefined && { entity }),
    ...(project !== undefined && { project, entity: entityOf(project) }),
    ...(target && { target: { ...event.target, ...(bounded(target, 0) as object) } }),
  }
}

const callerOf = ({ userId, username, keyId }: Principal) => ({ userId, username, keyId })
const entityOf = (project: string) => project.split('/', 1)[0]!
/** The entity that all rights of a caller are in. */
const accountOf = ({ account }: Principal) => (account.startsWith(':') ? '' : account)

/** The project that a request names, wherever that is, or the entity. */
function placeIn({ params, query, body }: Known): Pick<AuditEvent, 'project' | 'entity'> {
  for (const part of [params, query, body]) {
    if (typeof part !== 'object' || part === null) continue
    const { project_id: id, scope, entity, project } = part as Record<string, unknown>
    const inParts = typeof entity === 'string' && typeof project === 'string' ? `${entity}/${project}` : ''
    const named = [id, scope, inParts].find((one) => typeof one === 'string' && isProjectName(one))
    if (typeof named === 'string') return { project: named, entity: entityOf(named) }
    if (typeof scope === 'string' && isProjectName(`${scope}/any`) && scope !== '*')
      return { project: '', entity: scope }
  }
  return { project: '', entity: '' }
}

function targetOf(audit: Audit | undefined, request: Known): Record<string, unknown> {
  const target: Record<string, unknown> = {}
  for (const path of audit?.names ?? []) {
    let value: unknown = request
    for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
    if (value !== undefined && value !== null)
      target[path.slice(path.lastIndexOf('.') + 1)] = bounded(value, 0)
  }
  return target
}

const LONGEST_TEXT = 300
const MOST_ITEMS = 100
const DEEPEST = 4

/** A value of bounded size, as JSON has it: names are short, and lists of them begin alike. */
function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    const text = value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
    return text.toWellFormed()
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => bounded(item, depth + 1))
    return value.length > MOST_ITEMS ? [...items, `… ${value.length - MOST_ITEMS} more`] : items
  }
  const fields = Object.entries(value).slice(0, MOST_ITEMS)
  return Object.fromEntries(fields.map(([name, one]) => [name, bounded(one, depth + 1)]))
}
