/** `heddle demo`: logs a small example trace, as a client would. */
import { randomBytes } from 'node:crypto'
import { refText } from '../../contract/ref.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { post, projectPath, type Target } from '../http-client.js'
import { type TreeCall, tree } from '../tree.js'

interface Step {
  op: string
  inputs: unknown
  output: unknown
  /** ms from the start of the trace */
  from: number
  to: number
  model?: string
  error?: string
  steps?: Step[]
}

const STORY: Step = {
  op: 'answer_question',
  inputs: { question: 'How tall is the Zugspitze?' },
  output: 'The Zugspitze is 2,962 m high.',
  from: 0,
  to: 1840,
  steps: [
    {
      op: 'search',
      inputs: { query: 'Zugspitze height', limit: 3 },
      output: [{ title: 'Zugspitze', text: 'Highest peak of the Wetterstein, 2,962 m above sea level.' }],
      from: 12,
      to: 240,
    },
    {
      op: 'lookup_cache',
      inputs: { key: 'zugspitze' },
      output: null,
      from: 245,
      to: 251,
      error: 'KeyError: nothing is cached under "zugspitze"',
    },
    {
      op: 'chat',
      inputs: { model: 'demo-model', messages: [{ role: 'user', content: 'How tall is the Zugspitze?' }] },
      output: { role: 'assistant', content: 'The Zugspitze is 2,962 m high.' },
      from: 260,
      to: 1830,
      model: 'demo-model',
    },
  ],
}

/**
 * Logs the trace into `project`, with a thumbs-up, and says how to read it back.
 * @param shown the key as text: others than the caller may read what is printed
 */
export async function demo(to: Target, { project }: { project: string }): Promise<string> {
  // A pipe or a log has other readers.
  const shown = process.stdout.isTTY ? to.key : '$WANDB_API_KEY'
  const traceId = randomBytes(16).toString('hex')
  const batch = calls(STORY, { project, traceId, start: Date.now() - STORY.to, parentId: null })
  await post(to, projectPath(project, 'calls/complete'), { batch })
  await post(to, '/feedback/create', {
    project_id: project,
    weave_ref: refText({ project, kind: 'call', id: String(batch[0]?.id), steps: [] }),
    feedback_type: 'platform.reaction.1',
    payload: { emoji: '👍' },
  })
  const answer = await post(to, '/calls/stream_query', {
    project_id: project,
    filter: { trace_ids: [traceId] },
    columns: ['id', 'op_name', 'parent_id', 'started_at', 'ended_at', 'exception'],
  })
  const found = (await answer.text()).trimEnd().split('\n')
  return `Logged ${batch.length} calls into ${project}, the first with a thumbs-up. Read back:

${tree(found.map((line) => JSON.parse(line) as TreeCall))
  .replace(/^/gm, '  ')
  .trimEnd()}

Look at them in a browser, with the key ${shown}:

  ${to.url}/${project}/weave

Try a query of your own:

  curl -s ${to.url}/calls/stream_query \\
    -H "Authorization: Bearer ${shown}" -H 'Content-Type: application/json' \\
    -d '{"project_id":"${project}","limit":10,"sort_by":[{"field":"started_at","direction":"desc"}],
         "query":{"$expr":{"$eq":[{"$getField":"inputs.model"},{"$literal":"demo-model"}]}}}'
`
}

interface Trace {
  project: string
  traceId: string
  start: number
  parentId: string | null
}

function calls(step: Step, trace: Trace): { id: string }[] {
  const id = uuid7(trace.start + step.from)
  const failed = step.error === undefined ? 0 : 1
  const call = {
    project_id: trace.project,
    id,
    trace_id: trace.traceId,
    parent_id: trace.parentId,
    op_name: step.op,
    started_at: new Date(trace.start + step.from).toISOString(),
    ended_at: new Date(trace.start + step.to).toISOString(),
    attributes: { source: 'heddle demo' },
    inputs: step.inputs,
    output: step.output,
    exception: step.error ?? null,
    summary: {
      status_counts: { success: 1 - failed, error: failed },
      ...(step.model && { usage: { [step.model]: { input_tokens: 12, output_tokens: 11, requests: 1 } } }),
    },
  }
  return [call, ...(step.steps ?? []).flatMap((inner) => calls(inner, { ...trace, parentId: id }))]
}
