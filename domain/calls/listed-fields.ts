/**
 * The fields of a call that people choose from lists, each written once: what it is called, where it is, and what can be done
 * with it. The filter language, its completion, the facets, the columns of the traces and the choices of dashboards are made
 * of this. Any path into inputs, output, attributes, summary or feedback is a field, too. Pure; `read/fields.ts` has the SQL.
 */

/** `length`: of time, in ms. `value`: of any shape. */
export type FieldType = 'text' | 'number' | 'length' | 'money' | 'time' | 'value'

export interface ListedField {
  /** of its column, in addresses and saved views */
  id: string
  /** in the filter language; the first is offered */
  names: readonly [string, ...string[]]
  title: string
  type: FieldType
  /** as in `$getField`; absent: it is only shown */
  path?: string
  /** all that it can be; absent: anything */
  values?: readonly string[]
  /** what people write instead of some of `values` */
  meant?: Readonly<Record<string, string>>
  /** how its calls are counted beside the list */
  facet?: 'values' | 'numbers'
  /** what must be read of a call to show it; absent: it is no column */
  reads?: readonly string[]
  /** its name in `group_by` of `/calls/stats` */
  group?: string
}

/** What must be read of a call to say its name. */
export const NAME_COLUMNS = ['op_name', 'display_name', 'span_name'] as const

export const FIELDS: readonly ListedField[] = [
  {
    ...{ id: 'status', names: ['status'], title: 'Status', type: 'text', path: 'summary.weave.status' },
    values: ['error', 'running', 'success', 'descendant_error'],
    meant: {
      ...{ failed: 'error', failure: 'error', fail: 'error', errored: 'error', exception: 'error' },
      ...{
        ok: 'success',
        succeeded: 'success',
        successful: 'success',
        done: 'success',
        completed: 'success',
      },
      ...{ pending: 'running', started: 'running', unfinished: 'running' },
    },
    ...{ facet: 'values', reads: ['exception', 'ended_at', 'summary'] },
  },
  {
    ...{ id: 'name', names: ['name'], title: 'Name', type: 'text', path: 'summary.weave.trace_name' },
    reads: NAME_COLUMNS,
  },
  {
    ...{ id: 'model', names: ['model'], title: 'Model', type: 'text', path: 'summary.weave.model' },
    ...{ facet: 'values', reads: ['summary'], group: 'model' },
  },
  {
    ...{ id: 'op', names: ['op'], title: 'Op', type: 'text', path: 'summary.weave.op' },
    ...{ facet: 'values', group: 'op' },
  },
  { id: 'inputs', names: ['inputs'], title: 'Input', type: 'value', path: 'inputs', reads: ['inputs'] },
  {
    ...{ id: 'output', names: ['output'], title: 'Output', type: 'value', path: 'output' },
    reads: ['output', 'exception'],
  },
  {
    ...{ id: 'started_at', names: ['started', 'started_at'], title: 'Started', type: 'time' },
    ...{ path: 'started_at', reads: ['started_at'] },
  },
  { id: 'ended_at', names: ['ended', 'ended_at'], title: 'Ended', type: 'time', path: 'ended_at' },
  {
    ...{ id: 'latency', names: ['latency'], title: 'Latency', type: 'length' },
    ...{ path: 'summary.weave.latency_ms', facet: 'numbers', reads: ['ended_at', 'summary'] },
  },
  {
    ...{ id: 'first_token', names: ['first_token'], title: 'Time to first token', type: 'length' },
    ...{ path: 'summary.weave.time_to_first_token_ms', facet: 'numbers', reads: ['summary'] },
  },
  {
    ...{ id: 'tokens', names: ['tokens'], title: 'Tokens', type: 'number' },
    ...{ path: 'summary.weave.total_tokens', facet: 'numbers', reads: ['summary'] },
  },
  {
    ...{ id: 'input_tokens', names: ['input_tokens'], title: 'Input tokens', type: 'number' },
    ...{ path: 'summary.weave.input_tokens', facet: 'numbers', reads: ['summary'] },
  },
  {
    ...{ id: 'output_tokens', names: ['output_tokens'], title: 'Output tokens', type: 'number' },
    ...{ path: 'summary.weave.output_tokens', facet: 'numbers', reads: ['summary'] },
  },
  {
    ...{ id: 'cost', names: ['cost'], title: 'Cost', type: 'money' },
    ...{ path: 'summary.weave.cost', facet: 'numbers', reads: ['summary'] },
  },
  // Of a call and all that it called, added up for those that are shown: what repeats the usage of calls below counts once.
  { id: 'trace_tokens', names: ['trace_tokens'], title: 'Trace tokens', type: 'number', reads: [] },
  { id: 'trace_cost', names: ['trace_cost'], title: 'Trace cost', type: 'money', reads: [] },
  { id: 'feedback', names: ['feedback'], title: 'Feedback', type: 'value', reads: [] },
  {
    ...{ id: 'reaction', names: ['reaction'], title: 'Reaction', type: 'text' },
    ...{ path: 'feedback.[wandb.reaction.1].payload.emoji', facet: 'values' },
  },
  {
    ...{ id: 'note', names: ['note'], title: 'Note', type: 'text' },
    path: 'feedback.[wandb.note.1].payload.note',
  },
  {
    ...{ id: 'wb_user_id', names: ['user', 'wb_user_id'], title: 'User', type: 'text', path: 'wb_user_id' },
    ...{ facet: 'values', reads: ['wb_user_id'], group: 'user' },
  },
  {
    ...{ id: 'end_user', names: ['end_user'], title: 'End user', type: 'text', path: 'end_user' },
    ...{ facet: 'values', group: 'end_user' },
  },
  {
    ...{ id: 'thread_id', names: ['thread', 'session', 'thread_id'], title: 'Thread', type: 'text' },
    ...{ path: 'thread_id', facet: 'values', reads: ['thread_id'] },
  },
  {
    ...{ id: 'environment', names: ['env', 'environment'], title: 'Environment', type: 'text' },
    ...{ path: 'environment', facet: 'values', reads: ['environment'], group: 'environment' },
  },
  {
    ...{ id: 'release', names: ['release'], title: 'Release', type: 'text', path: 'release' },
    ...{ facet: 'values', reads: ['release'], group: 'release' },
  },
  {
    ...{ id: 'version', names: ['version'], title: 'Version', type: 'text', path: 'version' },
    ...{ facet: 'values', reads: ['version'], group: 'version' },
  },
  {
    ...{ id: 'prompt_name', names: ['prompt', 'prompt_name'], title: 'Prompt', type: 'text' },
    ...{ path: 'prompt_name', facet: 'values', reads: ['prompt_name'], group: 'prompt_name' },
  },
  {
    ...{ id: 'prompt_version', names: ['prompt_version'], title: 'Prompt version', type: 'text' },
    ...{ path: 'prompt_version', facet: 'values', reads: ['prompt_version'], group: 'prompt_version' },
  },
  { id: 'exception', names: ['error', 'exception'], title: 'Error', type: 'text', path: 'exception' },
  {
    ...{ id: 'trace_id', names: ['trace', 'trace_id'], title: 'Trace', type: 'text', path: 'trace_id' },
    reads: ['trace_id'],
  },
  { id: 'id', names: ['id'], title: 'Id', type: 'text', path: 'id', reads: ['id'] },
  { id: 'parent_id', names: ['parent', 'parent_id'], title: 'Parent', type: 'text', path: 'parent_id' },
  { id: 'turn_id', names: ['turn', 'turn_id'], title: 'Turn', type: 'text', path: 'turn_id' },
  { id: 'op_name', names: ['op_name'], title: 'Op with its version', type: 'text', path: 'op_name' },
  { id: 'display_name', names: ['display_name'], title: 'Given name', type: 'text', path: 'display_name' },
  { id: 'wb_run_id', names: ['run', 'wb_run_id'], title: 'Run', type: 'text', path: 'wb_run_id' },
  { id: 'attributes', names: ['attributes'], title: 'Attributes', type: 'value', path: 'attributes' },
  { id: 'summary', names: ['summary'], title: 'Summary', type: 'value', path: 'summary' },
]

/** Whatever is below these is a field. */
export const ROOTS = ['inputs.', 'output.', 'attributes.', 'summary.', 'feedback.'] as const

const BY_NAME = new Map(FIELDS.flatMap((field) => field.names.map((name) => [name, field] as const)))
const BY_ID = new Map(FIELDS.map((field) => [field.id, field]))
const BY_PATH = new Map(FIELDS.flatMap((field) => (field.path ? [[field.path, field] as const] : [])))

/** The field that the filter language calls so. */
export const fieldNamed = (name: string): ListedField | undefined => BY_NAME.get(name)
/** The field that `$getField` reads so. */
export const fieldAt = (path: string): ListedField | undefined => BY_PATH.get(path)

/** The title of a field. @param id of a field of the list @throws Error for another */
export function titleOfField(id: string): string {
  const field = BY_ID.get(id)
  if (!field) throw new Error(`No field has the id ${id}.`)
  return field.title
}

/** What `$getField` takes for a name of the filter language; undefined: there is no such field. */
export function pathOf(name: string): string | undefined {
  const field = fieldNamed(name)
  if (field) return field.path
  return BY_PATH.has(name) || ROOTS.some((root) => name.startsWith(root)) ? name : undefined
}
