/** Decides whether, and in which project, a completion is logged as a call. Pure. */
import { isId, THREAD_ID_LIMIT } from '../../contract/limits.js'
import type { Principal } from '../../platform/http/principal.js'
import { isProjectName } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { problems } from '../problem.js'

/** A call to write. */
export interface TraceRequest {
  project: string
  id: string
  traceId: string
  parentId: string | null
  /** the session that it is a turn of; null: none is known */
  threadId: string | null
}

/** This header value turns logging off, also in the key's own project. */
const NOWHERE = 'none'

/** Ours, then those by which coding agents name their sessions: Claude Code, and Codex in its newer and older versions. */
const SESSION_HEADERS = ['x-heddle-thread', 'x-claude-code-session-id', 'session-id', 'session_id']

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/

/**
 * The header `x-heddle-project: entity/project` names the project; so does the one that the OpenAI SDKs send
 * (`openai-project`), if it has that form. Without either the key's own project is used, unless the header is `none`.
 * A `traceparent` puts the call under a span, and the header of a coding agent's session into a thread.
 * @throws 400 for an invalid project, `NO_RIGHT` (403) if the caller may not write there
 */
export function traceRequest(
  headers: ReadonlyMap<string, string>,
  principal: Principal,
): TraceRequest | undefined {
  const ours = headers.get('x-heddle-project')?.trim()
  const theirs = headers.get('openai-project')?.trim() ?? ''
  if (ours === NOWHERE) return undefined
  const project = ours || (isProjectName(theirs) ? theirs : '') || principal.traceProject
  if (project === '') return undefined
  if (!isProjectName(project))
    throw problems.refused('BAD_PROJECT', 'The header x-heddle-project should be entity/project.')
  principal.must('write', project)
  const parent = TRACEPARENT.exec(headers.get('traceparent') ?? '')
  const session = SESSION_HEADERS.map((name) => headers.get(name)?.trim()).find(Boolean) ?? ''
  return {
    ...{ project, id: uuid7(), traceId: parent?.[1] ?? uuid7(), parentId: parent?.[2] ?? null },
    threadId: isId(session, THREAD_ID_LIMIT) ? session : null,
  }
}
