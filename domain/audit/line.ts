/** A line of the audit log, and the text that its hash is of. Pure. */
import { createHash } from 'node:crypto'
import type { AuditEvent } from '../../platform/http/audit.js'

/**
 * `begin` is written before something is done, and `end` when its result is known; `done` is both in one. `refused` was
 * not begun, `counted` stands for several that were refused. `heads` begins a chain: it tells how long all others are.
 */
export type Phase = 'heads' | 'begin' | 'end' | 'done' | 'refused' | 'counted'

/** What is written, before it has its place in a chain. */
export interface Entry extends Omit<AuditEvent, 'target'> {
  phase: Phase
  /** of what it tells of */
  id: string
  /** µs since the epoch */
  beganAt: number
  /** JSON */
  target: string
  /** HTTP status; 0: not known yet */
  status: number
  errorCode: string
}

export interface AuditLine extends Entry {
  chain: string
  /** from 1 */
  seq: number
  /** µs since the epoch */
  at: number
  /** empty: it is the first */
  prevHash: string
  hash: string
}

/** The end of a chain, as somebody saw it. */
export interface Head {
  chain: string
  seq: number
  hash: string
}

/** The first number tells how the text is made, should that ever change. */
const FORM = 1

/** The one text of a line: a JSON list, so that no two lines have the same. */
function canonicalText(line: Omit<AuditLine, 'hash'>): string {
  return JSON.stringify([
    ...[FORM, line.chain, line.seq, line.at, line.beganAt, line.phase, line.id, line.requestId],
    ...[line.action, line.category, line.userId, line.username, line.keyId],
    ...[line.remoteAddress, line.forwardedFor, line.entity, line.project, line.target],
    ...[line.status, line.errorCode, line.prevHash],
  ])
}

/** sha256 of {@link canonicalText}, hex. */
export function hashOf(line: Omit<AuditLine, 'hash'>): string {
  return createHash('sha256').update(canonicalText(line)).digest('hex')
}
