/** Whether, and where, a caller wants a completion to be logged as a call. Pure. */
import type { Principal } from '../../platform/http/principal.js'
import { isProjectName } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { problems } from '../problem.js'

/** A call to be written. */
export interface TraceRequest {
  project: string
  id: string
  traceId: string
  parentId: string | null
}

/** In the header: not even where the key would have it. */
const NOWHERE = 'none'

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/

/**
 * The header `x-heddle-project: entity/project` asks for it; so does the project that the OpenAI SDKs send
 * (`openai-project`) if it has that form. Where neither does, the key's own project is taken, unless the header says
 * `none`. A `traceparent` puts the call under a span.
 * @throws 400 for a project that is none, `NO_RIGHT` (403) if the caller may not write there
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
