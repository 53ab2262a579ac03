/** Writes what commands do to the store of this machine to its audit log. Servers write what they are asked to do. */
import { userInfo } from 'node:os'
import { entryOf } from '../domain/audit/auditor.js'
import { AuditLog } from '../domain/audit/log.js'
import type { Store } from '../platform/clickhouse/store.js'
import { service } from '../platform/fairness/caller.js'
import { type AuditEvent, resultOf } from '../platform/http/audit.js'
import { uuid7 } from '../platform/ids/uuid7.js'
import { nowMicros } from '../platform/time/iso.js'
import { CommandError } from './command.js'

/** What a command does. */
export interface CommandEvent extends Pick<AuditEvent, 'category' | 'target'> {
  /** the command, such as `keys create` */
  action: string
  /** `*`, an entity or entity/project */
  scope?: string
}

/** Adds names of what it is done to, which only the work knows. */
export type Note = (target: AuditEvent['target']) => void

/**
 * Does `work` between its lines of the audit log. The user is `cli:` and who is signed in on this machine.
 * @throws CommandError if the first can't be written: nothing is done then
 */
export async function auditedHere<T>(
  store: Store,
  event: CommandEvent,
  work: (note: Note) => Promise<T>,
): Promise<T> {
  const audit = new AuditLog(store.as(service('audit')))
  let full = auditEventOf(event)
  const id = uuid7()
  const beganAt = nowMicros()
  const write = (phase: 'begin' | 'end', status: number, errorCode: string) =>
    audit.write(entryOf(phase, id, beganAt, full, { status, errorCode }))
  try {
    await write('begin', 0, '')
  } catch (error) {
    throw new CommandError(`the audit log can't be written, so nothing was done: ${reasonOf(error)}`)
  }
  const ended = (status: number, errorCode: string) =>
    write('end', status, errorCode).catch((error: unknown) => {
      process.stderr.write(`heddle: the audit log lacks how this ended: ${reasonOf(error)}\n`)
    })
  try {
    const done = await work((target) => {
      full = { ...full, target: { ...full.target, ...target } }
    })
    await ended(200, '')
    return done
  } catch (error) {
    const { status, errorCode } = error instanceof CommandError ? REFUSED : resultOf(error)
    await ended(status, errorCode)
    throw error
  }
}

/** An error for callers hides what operators need. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

const REFUSED = { status: 400, errorCode: 'COMMAND' }

function auditEventOf({ action, category, target, scope = '' }: CommandEvent): AuditEvent {
  const username = `cli:${osUser()}`
  const named = scope === '*' ? '' : scope
  return {
    ...{ action, category, target, username, userId: username, keyId: '', requestId: '' },
    ...{ remoteAddress: '', forwardedFor: '' },
    ...{ entity: named.split('/', 1)[0]!, project: named.includes('/') ? named : '' },
  }
}

/** Containers may run as somebody without a name. */
function osUser(): string {
  try {
    return userInfo().username.toWellFormed()
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
