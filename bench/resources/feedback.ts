/** Feedback: sent in batches, sent again, read. */
import { uuid7 } from '../../test/support/ids.js'
import type { Server } from '../../test/support/server.js'
import type { Row } from '../figures.js'
import { opinion } from '../load/opinion.js'
import { sendAll } from '../load/requests.js'
import { Chance } from '../load/text.js'
import { metered } from '../processes.js'
import type { Scenario } from '../read/scenario.js'
import { rateRow } from './rate.js'

const PROJECT = 'bench/feedback'
const GIVEN = 100_000
const BATCH = 1_000
const CONNECTIONS = 4
const TARGET = 15_000
/** Each call has as much feedback as any other. */
const CALLS = 10_000
const RETRIED = 5

/** Gives feedback; says what calls it is about. */
export async function measureFeedback(server: Server): Promise<{ rate: Row; calls: string[] }> {
  const calls = Array.from({ length: CALLS }, () => uuid7())
  const chance = new Chance(31)
  const batches = Array.from({ length: GIVEN / BATCH }, (_, n) => ({
    path: '/feedback/batch/create',
    headers: { 'x-weave-retry-id': uuid7() },
    body: Buffer.from(
      JSON.stringify({
        batch: Array.from({ length: BATCH }, (_, i) =>
          opinion(PROJECT, calls[(n * BATCH + i) % CALLS]!, chance),
        ),
      }),
    ),
  }))
  let acknowledged = 0
  const make = (n: number) => batches[n]!
  const take = (text: string) => {
    acknowledged += (JSON.parse(text) as { res: unknown[] }).res.length
  }
  const found = await metered(server, () =>
    sendAll(server, { connections: CONNECTIONS, count: batches.length, make, take }),
  )
  const stored = await count(server)
  await sendAll(server, { connections: 1, count: RETRIED, make })
  const rate = {
    ...{ name: `feedback given in batches of ${BATCH}`, unit: 'feedback', connections: CONNECTIONS },
    ...{ target: TARGET, acknowledged, stored, storedAgain: await count(server) },
  }
  return { rate: rateRow(rate, found, found.value), calls }
}

async function count(server: Server): Promise<number> {
  const asked = { project_id: PROJECT, fields: ['id'], limit: 1 }
  return Number((await server.api.ok('/feedback/query', asked)).total_count)
}

/** The requests of a call's page, a list and a search. */
export function feedbackScenarios(calls: readonly string[]): Scenario[] {
  const path = '/feedback/query'
  const expects = (rows: number) => (text: string) => {
    const { result } = JSON.parse(text) as { result: unknown[] }
    return result.length === rows ? undefined : `${result.length} came and not ${rows}`
  }
  return [
    {
      name: 'feedback on a call',
      path,
      body: (chance) => {
        const ref = `weave:///${PROJECT}/call/${calls[chance.below(calls.length)]}`
        const query = { $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: ref }] } }
        return { project_id: PROJECT, query }
      },
      problem: expects(GIVEN / CALLS),
    },
    {
      name: 'feedback, newest 100 and how many there are',
      path,
      body: () => ({
        project_id: PROJECT,
        sort_by: [{ field: 'created_at', direction: 'desc' }],
        limit: 100,
      }),
      problem: expects(100),
    },
    {
      name: 'feedback, 100 where a value in the payload is high',
      path,
      body: () => ({
        project_id: PROJECT,
        query: { $expr: { $gt: [{ $getField: 'payload.score' }, { $literal: 0.9 }] } },
        limit: 100,
      }),
      problem: expects(100),
    },
  ]
}
