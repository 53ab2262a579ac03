/** A dataset and two runs of an evaluation over it, each prediction with three scores, as an SDK writes them. */
import { uuid7 } from '../../test/support/ids.js'
import type { Server } from '../../test/support/server.js'
import { sendAll } from '../load/requests.js'
import { Chance, prose } from '../load/text.js'

export const PROJECT = 'bench/evaluation'
/** Predictions of a request; each is five calls. */
const BATCH = 200
const ROWS = 10_000
const CONNECTIONS = 4
const START = Date.UTC(2026, 0, 1)
/** Days between the runs, so that no block has calls of both. */
const DAY = 86_400_000

export interface Filled {
  /** ids of the two runs */
  runs: readonly [string, string]
  calls: number
}

/** One row of data and one prediction a run for each of `predictions`. */
export async function fillRuns(server: Server, predictions: number): Promise<Filled> {
  const dataset = await storeRows(server, predictions)
  const first = await storeRun(server, dataset, 0)
  const second = await storeRun(server, dataset, 1)
  return { runs: [first, second], calls: 2 * (5 * predictions + 1) }
}

interface Dataset {
  ref: string
  digests: readonly string[]
}

async function storeRows(server: Server, count: number): Promise<Dataset> {
  const chance = new Chance(3)
  const digests: string[][] = []
  const rows = (n: number) =>
    Array.from({ length: Math.min(ROWS, count - n * ROWS) }, (_, i) => ({
      ticket: prose(chance, 150),
      urgency: (n * ROWS + i) % 7,
    }))
  await sendAll(server, {
    connections: CONNECTIONS,
    count: Math.ceil(count / ROWS),
    make: (n) => ({
      path: '/table/create',
      body: JSON.stringify({ table: { project_id: PROJECT, rows: rows(n) } }),
    }),
    take: (text, n) => {
      digests[n] = (JSON.parse(text) as { row_digests: string[] }).row_digests
    },
  })
  const list = { project_id: PROJECT, row_digests: digests.flat() }
  const { digest: table } = await server.api.ok('/table/create_from_digests', list)
  const val = { _type: 'Dataset', rows: `weave:///${PROJECT}/table/${table}` }
  const { digest } = await server.api.ok('/obj/create', {
    obj: { project_id: PROJECT, object_id: 'tickets', val },
  })
  return { ref: `weave:///${PROJECT}/object/tickets:${digest}`, digests: digests.flat() }
}

/** A run of a model, whose root is written last. @param which of the two */
async function storeRun(server: Server, dataset: Dataset, which: 0 | 1): Promise<string> {
  const run = new Run(which, dataset)
  const path = `/v2/${PROJECT}/calls/complete`
  const count = dataset.digests.length
  await sendAll(server, {
    connections: CONNECTIONS,
    count: Math.ceil(count / BATCH),
    make: (n) => ({
      path,
      body: JSON.stringify({ batch: run.predictions(n * BATCH, Math.min(BATCH, count - n * BATCH)) }),
    }),
  })
  await server.api.ok(path, { batch: [run.root()] })
  return run.id
}

const op = (name: string) => `weave:///${PROJECT}/op/${name}:v1digest`
const EVALUATION = `weave:///${PROJECT}/object/routing:v1digest`

class Run {
  readonly id = uuid7()
  private readonly chance: Chance
  private readonly model: string

  constructor(
    private readonly which: 0 | 1,
    private readonly dataset: Dataset,
  ) {
    this.chance = new Chance(11 + which)
    this.model = `weave:///${PROJECT}/object/router:v${which}digest`
  }

  root(): object {
    const inputs = { self: EVALUATION, model: this.model }
    return this.call(this.id, null, 'Evaluation.evaluate', 0, inputs, {})
  }

  /** The calls of some predictions, five each: those of the second run are right more often. */
  predictions(first: number, count: number): object[] {
    return Array.from({ length: count }, (_, i) => this.prediction(first + i)).flat()
  }

  private prediction(n: number): object[] {
    const { model, chance, id, which, dataset } = this
    const [trial, predict] = [uuid7(), uuid7()]
    const example = `${dataset.ref}/attr/rows/id/${dataset.digests[n]}`
    const output = { team: n % 3 === 0 ? 'billing' : 'support', why: prose(chance, 150) }
    const scores = {
      right: n % (4 + 4 * which) !== 0,
      style: { clear: n % 5 !== 0, grade: n % 10 },
      length: 100 + (n % 50),
    }
    const usage = {
      usage: { small: { prompt_tokens: 90, completion_tokens: 20, total_tokens: 110, requests: 1 } },
    }
    const told = { output, scores, model_latency: 0.04 }
    const inputs = { self: EVALUATION, model, example }
    const asked = { self: model, ticket: prose(chance, 150), urgency: n % 7 }
    return [
      this.call(trial, id, 'Evaluation.predict_and_score', n, inputs, told, usage),
      this.call(predict, trial, 'Router.predict', n, asked, output, usage),
      ...Object.entries(scores).map(([name, score]) =>
        this.call(uuid7(), trial, name, n, { output, urgency: n % 7 }, score),
      ),
    ]
  }

  private call(
    id: string,
    parent_id: string | null,
    name: string,
    at: number,
    inputs: object,
    output: unknown,
    summary: object = {},
  ): object {
    const started = START + this.which * DAY + at
    return {
      project_id: PROJECT,
      id,
      parent_id,
      trace_id: this.id,
      op_name: op(name),
      started_at: new Date(started).toISOString(),
      ended_at: new Date(started + 40).toISOString(),
      attributes: { weave: { client_version: 'bench' } },
      inputs,
      output,
      summary,
    }
  }
}
