/** Lines of the audit log as other programs read them: JSON lines, and CEF (ArcSight's Common Event Format). Pure. */
import { REFUSED } from '../../platform/http/audit.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { AuditLine } from './line.js'

/** A line with the names of its fields on the wire. */
export function wireLine(line: AuditLine) {
  const { chain, seq, phase, id, action, category, username, entity, project, target, status } = line
  return {
    ...{ chain, seq, at: isoOfMicros(line.at), began_at: isoOfMicros(line.beganAt), phase, id },
    ...{ request_id: line.requestId, action, category, user_id: line.userId, username },
    ...{ key_id: line.keyId, remote_address: line.remoteAddress, forwarded_for: line.forwardedFor },
    ...{ entity, project, target, status, error_code: line.errorCode },
    ...{ prev_hash: line.prevHash, hash: line.hash },
  }
}

export const jsonLine = (line: AuditLine): string => `${JSON.stringify(wireLine(line))}\n`

/** From 0 to 10: how much somebody should look at it. */
function severityOf({ phase, status, category }: AuditLine): number {
  if (phase === 'counted') return 8
  if (REFUSED.includes(status)) return 6
  return category === 'access' || category === 'secrets' || category === 'deletion' ? 5 : 3
}

function outcomeOf({ phase, status }: AuditLine): string {
  if (phase === 'begin' || phase === 'heads') return phase
  if (REFUSED.includes(status)) return 'refused'
  return status >= 400 ? 'failed' : 'ok'
}

/** Ends of lines and separators would end a field. */
const inHeader = (text: string) => text.replaceAll(/[\\|]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ')
const inExtension = (text: string) =>
  text.replaceAll(/[\\=]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')

/** @param version of this program */
export function cefLine(line: AuditLine, version: string): string {
  const { chain, seq, phase, id, action, category, username, userId, target, status } = line
  const head = ['Heddle', 'Heddle', version, action, `${category || 'audit'} ${action}`]
  const address = line.remoteAddress
  const fields: [name: string, value: string][] = [
    ['rt', String(Math.floor(line.at / 1000))],
    ['suser', username],
    ['suid', userId],
    ['src', address.includes(':') ? '' : address],
    ...labelled('c6a2', 'source', address.includes(':') ? address : ''),
    ['act', phase],
    ['outcome', outcomeOf(line)],
    ['reason', line.errorCode],
    ['externalId', id],
    ...labelled('cs1', 'project', line.project || line.entity),
    ...labelled('cs2', 'target', target),
    ...labelled('cs3', 'keyId', line.keyId),
    ...labelled('cs4', 'requestId', line.requestId),
    ...labelled('cs5', 'hash', line.hash),
    ...labelled('cs6', 'place', `${chain}:${seq}`),
    ...labelled('cn1', 'status', String(status)),
  ]
  const written = fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${inExtension(value)}`)
  return `CEF:0|${head.map(inHeader).join('|')}|${severityOf(line)}|${written.join(' ')}\n`
}

/** A field whose name says nothing. */
function labelled(name: string, label: string, value: string): [name: string, value: string][] {
  if (value === '') return []
  return [
    [name, value],
    [`${name}Label`, label],
  ]
}
