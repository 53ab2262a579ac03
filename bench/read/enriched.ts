/**
 * Enriches calls of a filled project: some of the newest carry refs to published objects and token counts, half of
 * these have feedback, and so have calls all over the project; models have prices. All through the public interface.
 */
import { hex, uuid7 } from '../../test/support/ids.js'
import type { Server } from '../../test/support/server.js'
import { opinion } from '../load/opinion.js'
import { sendAll } from '../load/requests.js'
import { spanId } from '../load/span-body.js'
import { Chance, prose } from '../load/text.js'
import type { Project } from './fill.js'
import type { Scenario } from './scenario.js'

const OP = 'answer with context'
const CALLS = 2_000
/** One of so many calls is enriched among the newest, as rare as any other op. */
const EVERY = 20
const OBJECTS = 20
const VERSIONS = 10
const MODELS = 4
const BATCH = 1_000

/** Enriches `project`; says how many calls were added, and how much feedback there is. */
export async function enrich(server: Server, project: Project): Promise<{ calls: number; feedback: number }> {
  const chance = new Chance(23)
  const refs = await publish(server, project.name, chance)
  const step = EVERY * Math.max(1, Math.floor((30 * 86_400e3) / project.calls))
  const end = Date.now()
  const made: string[] = []
  for (let from = 0; from < CALLS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, n) => {
      const call = enrichedCall(project.name, refs, chance, end - (from + n) * step)
      made.push(call.id)
      return call
    })
    await server.api.ok(`/v2/${project.name}/calls/complete`, { batch })
  }
  await price(server, project.name)
  const others = Math.floor(project.calls / 50)
  const subjects = function* () {
    for (let n = 0; n < made.length; n += 2) for (let times = 0; times < 3; times++) yield made[n]!
    for (let n = 0; n < others; n++)
      yield spanId(project.firstSerial + chance.below(project.calls), project.seed)
  }
  const feedback = await giveFeedback(server, project.name, subjects(), chance)
  return { calls: CALLS, feedback }
}

/** The newest enriched calls with all that hangs on them. */
export function enrichedPage(project: string): Scenario {
  return {
    name: 'latest 100 of an op, with feedback, costs and two expanded columns',
    path: '/calls/stream_query',
    body: () => ({
      project_id: project,
      filter: { op_names: [OP] },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: 100,
      include_feedback: true,
      include_costs: true,
      expand_columns: ['inputs.document', 'output.source'],
      return_expanded_column_values: true,
    }),
    expects: 100,
    target: 60,
    problem: (text) => {
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Enriched)
      if (!rows.every(({ inputs, output }) => inputs.document._ref && output.source._ref))
        return 'a column is not expanded'
      if (!rows.every(({ summary }) => Object.keys(summary.weave.costs ?? {}).length === 1))
        return 'costs are missing'
      const spoken = rows.filter(({ summary }) => summary.weave.feedback?.length === 3).length
      return spoken === 50 ? undefined : `${spoken} calls have their feedback and not 50`
    },
  }
}

interface Enriched {
  inputs: { document: { _ref?: string } }
  output: { source: { _ref?: string } }
  summary: { weave: { costs?: object; feedback?: unknown[] } }
}

async function publish(server: Server, project: string, chance: Chance): Promise<string[]> {
  const refs: string[] = []
  for (let object = 0; object < OBJECTS; object++)
    for (let version = 0; version < VERSIONS; version++) {
      const val = { title: `document ${object}`, version, text: prose(chance, 1_000) }
      const object_id = `document-${object}`
      const { digest } = await server.api.ok('/obj/create', { obj: { project_id: project, object_id, val } })
      refs.push(`weave:///${project}/object/${object_id}:${String(digest)}`)
    }
  return refs
}

function enrichedCall(project: string, refs: readonly string[], chance: Chance, started: number) {
  const any = () => refs[chance.below(refs.length)]!
  const [prompt_tokens, completion_tokens] = [chance.below(4_000), chance.below(1_000)]
  const usage = { prompt_tokens, completion_tokens, requests: 1 }
  return {
    project_id: project,
    id: uuid7(started),
    trace_id: hex(16),
    op_name: OP,
    started_at: new Date(started).toISOString(),
    ended_at: new Date(started + 900).toISOString(),
    attributes: { region: `region-${chance.below(5)}` },
    inputs: { document: any(), question: prose(chance, 260) },
    output: { source: any(), answer: prose(chance, 220) },
    summary: { usage: { [`model-${chance.below(MODELS)}`]: usage } },
  }
}

async function price(server: Server, project: string): Promise<void> {
  const models = Array.from({ length: MODELS }, (_, n) => `model-${n}`)
  const costs = Object.fromEntries(
    models.map((model, n) => [model, { prompt_token_cost: n * 1e-6 + 1e-6, completion_token_cost: 4e-6 }]),
  )
  await server.api.ok('/cost/create', { project_id: project, costs })
}

async function giveFeedback(
  server: Server,
  project: string,
  callIds: Iterable<string>,
  chance: Chance,
): Promise<number> {
  const given = Array.from(callIds, (id) => opinion(project, id, chance))
  const make = (n: number) => ({
    path: '/feedback/batch/create',
    body: JSON.stringify({ batch: given.slice(n * BATCH, (n + 1) * BATCH) }),
  })
  await sendAll(server, { connections: 1, count: Math.ceil(given.length / BATCH), make })
  return given.length
}
