/** Writes to the audit log what rules do that people would be asked about. */
import { type AuditEvent, type Auditor, betweenLines } from '../../platform/http/audit.js'
import type { Requester } from '../evaluation/parts.js'
import type { ActionRun } from './runs.js'

/** Does `work` between its lines of the audit log. @param auditor undefined: there is no log */
export async function auditedRule<T>(
  auditor: Auditor | undefined,
  { rule, id }: Pick<ActionRun, 'rule' | 'id'>,
  { project, principal }: Requester,
  event: Pick<AuditEvent, 'action' | 'category' | 'target'>,
  work: () => Promise<T>,
): Promise<T> {
  if (auditor === undefined) return work()
  const { userId, username, keyId } = principal
  const whole: AuditEvent = {
    ...{ ...event, userId, username, keyId, remoteAddress: '', forwardedFor: '', requestId: id, project },
    entity: project.split('/', 1)[0]!,
    target: { rule, ...event.target },
  }
  return betweenLines(auditor, () => whole, work)
}
