/** A line of a call, as exports and streams have it, to what stores the call again. Pure. */
import { canonicalName } from '../../contract/aliases.js'
import { CompletedCallSchemaForInsert, StartedCallSchemaForInsert } from '../../contract/call-insert.js'
import { type JsonTree, parseTree, treeText } from '../../platform/json/tree.js'
import { feedbackPiece } from './feedback.js'
import type { MovedRefs } from './moved-refs.js'
import type { Piece } from './sink.js'

const WHOLE = new Set(Object.keys(CompletedCallSchemaForInsert.shape))
const START = new Set(Object.keys(StartedCallSchemaForInsert.shape))
/** What the key of the import decides. */
const NOT_TAKEN = new Set(['project_id', 'platform_user_id'])

/** A line that is no call; the message says what it lacks. */
export class NotACall extends Error {}

/** The object that a line of JSON is. @throws NotACall, JsonError */
export function objectIn(line: Uint8Array): Map<string, JsonTree> {
  const tree = parseTree(line)
  if (tree instanceof Map) return tree
  throw new NotACall('it is not an object')
}

/**
 * The call, and the feedback about it where the line has that. Nothing for a deleted call.
 * @throws NotACall
 */
export function piecesOf(line: ReadonlyMap<string, JsonTree>, project: string, refs: MovedRefs): Piece[] {
  for (const name of ['id', 'trace_id', 'op_name', 'started_at'])
    if (typeof line.get(name) !== 'string') throw new NotACall(`it has no ${name}`)
  if ((line.get('deleted_at') ?? null) !== null) return []
  const running = (line.get('ended_at') ?? null) === null
  const call = new Map<string, JsonTree>([['project_id', project]])
  for (const [key, value] of line) {
    const name = canonicalName(key)
    if (value !== null && (running ? START : WHOLE).has(name) && !NOT_TAKEN.has(name))
      call.set(name, refs.tree(value))
  }
  moveSpan(call)
  if (!call.has('inputs')) call.set('inputs', new Map())
  if (!call.has('attributes')) call.set('attributes', new Map())
  if (!running && !call.has('summary')) call.set('summary', new Map())
  return [{ kind: running ? 'start' : 'call', text: treeText(call) }, ...feedbackIn(line, project, refs)]
}

/** What an exporter sent is a member of the attributes when it is read, and a field when it is written. */
function moveSpan(call: Map<string, JsonTree>): void {
  const attributes = call.get('attributes')
  if (!(attributes instanceof Map)) return
  const span = attributes.get('otel_span')
  if (!(span instanceof Map)) return
  call.set('otel_dump', span)
  call.set('attributes', new Map([...attributes].filter(([key]) => key !== 'otel_span')))
}

function feedbackIn(line: ReadonlyMap<string, JsonTree>, project: string, refs: MovedRefs): Piece[] {
  const summary = line.get('summary')
  const computed = summary instanceof Map ? summary.get('weave') : undefined
  const feedback = computed instanceof Map ? computed.get('feedback') : undefined
  if (!Array.isArray(feedback)) return []
  return feedback.flatMap((one) => (one instanceof Map ? feedbackPiece(one, project, refs) : []))
}
