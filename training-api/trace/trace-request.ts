/** Decides whether, and in which project, a completion is logged as a call. Pure. */
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
}

/** This header value turns logging off, also in the key's own project. */
const NOWHERE = 'none'

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/

/**
 * The header `x-heddle-project: entity/project` names the project; so does the one that the OpenAI SDKs send
 * (`openai-project`), if it has that form. Without either the key's own project is used, unless the header is `none`.
 * A `traceparent` puts the call under a span.
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
  return { project, id: uuid7(), traceId: parent?.[1] ?? uuid7(), parentId: parent?.[2] ?? null }
}
