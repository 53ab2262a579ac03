/** Parses the subject of feedback from its `weave_ref`, as far as possible. Pure; does not check existence. */

import { parseRef, RefError } from '../../contract/ref.js'
import { errors } from '../../platform/errors/catalog.js'

export interface Subject {
  /** the call of `project` if it is about a whole call, else '' */
  callId: string
  /** the agent's turn or conversation, if it is about one */
  turn?: string
  conversation?: string
}

const NOTHING: Subject = { callId: '' }
/** Clients refer to more kinds than this service stores. */
const ANY_KIND = /^weave:\/\/\/[^/]+\/[^/]+\/([^/]+)\/(.+)$/s

/**
 * @param project `entity/project`
 * @throws 400 if the text is not a ref
 */
export function subjectOf(weaveRef: string, project: string): Subject {
  const [, kind, rest = ''] = ANY_KIND.exec(weaveRef) ?? []
  if (kind === undefined)
    throw errors.badRequest(
      'The weave_ref has no subject: write weave:///entity/project/call/… or another ref.',
    )
  if (kind === 'agent_turn') return { callId: '', turn: decodedPart(rest) }
  if (kind === 'agent_conversation') return { callId: '', conversation: decodedPart(rest) }
  if (kind !== 'call') return NOTHING
  try {
    const ref = parseRef(weaveRef)
    const whole = ref.kind === 'call' && ref.steps.length === 0 && ref.project === project
    return whole ? { callId: ref.id } : NOTHING
  } catch (error) {
    if (error instanceof RefError) throw errors.badRequest(`The weave_ref ${error.message}.`)
    throw error
  }
}

/** The ref of a part of an agent's work: its conversation, one turn, or one span. */
export function agentRef(project: string, kind: 'conversation' | 'turn' | 'span', id: string): string {
  return `weave:///${project}/agent_${kind}/${encodeURIComponent(id.toWellFormed())}`
}

/** Decodes a part of a ref; one that isn't percent-encoded stays as it is. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
