/** The SQL of each kind of read, one snapshot file a case, to be read by a change's reviewer. */
import { expect, it } from 'vitest'
import { callsStreamQuery } from '../../contract/calls-read.js'
import * as read from '../../contract/feedback-read.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { keysStatement } from '../../domain/calls/read/page.js'
import { spanOf } from '../../domain/calls/read/span.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { lineOf, pageOf } from '../../query/calls/selection.js'
import { aggregateStatement, bucketSeconds } from './aggregate.js'
import { sampleStatement } from './payload-schema.js'
import { listOf } from './query.js'
import { measuresOf, statsStatement } from './stats.js'

const project_id = 'acme/one'
const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const window = { project_id, start: '2026-01-01T00:00:00Z', end: '2026-01-01T02:00:00Z' }

const snapshot = (name: string, ...statements: (Sql | undefined)[]) => {
  const text = statements
    .flatMap((statement) => {
      if (!statement) return []
      const { query, params } = statement.render()
      const lines = Object.entries(params).map(([param, value]) => `-- ${param} = ${JSON.stringify(value)}`)
      return [[query, ...lines, ''].join('\n')]
    })
    .join('\n')
  return expect(text).toMatchFileSnapshot(`./__snapshots__/${name}.sql`)
}

it.each<[string, object]>([
  ['of-a-ref', { query: { $expr: { $eq: [field('weave_ref'), literal('weave:///acme/one/call/c1')] } } }],
  [
    'page',
    {
      fields: ['id', 'payload.a.0'],
      limit: 10,
      offset: 20,
      sort_by: [{ field: 'payload.a', direction: 'desc' }],
      query: { $expr: { $eq: [field('feedback_type'), literal('wandb.note.1')] } },
    },
  ],
  [
    'hostile',
    { fields: ['id'], query: { $expr: { $eq: [field("payload.'; DROP--"), literal("\\'{p0:String}")] } } },
  ],
])('a list, %s', async (name, more) => {
  const { rows, count } = listOf(read.feedbackQuery.body!.parse({ project_id, ...more }))
  await snapshot(`list-${name}`, rows, count)
})

it('statistics', async () => {
  const body = read.feedbackStats.body!.parse({
    ...window,
    feedback_type: 'wandb.runnable.judge',
    trigger_ref: 'weave:///acme/one/object/watch:*',
    metrics: [{ json_path: 'output.score', percentiles: [50] }],
  })
  await snapshot('statistics', statsStatement(body, spanOf(body), measuresOf(body.metrics)))
})

it('the sample of payloads', async () => {
  const asked = { project_id, start: 1e15, end: 2e15, feedback_type: null, trigger_ref: null }
  await snapshot('sample', sampleStatement(asked, 100))
})

it('tags and ratings', async () => {
  const body = read.feedbackAggregate.body!.parse({
    project_id,
    after_ms: 0,
    before_ms: 3_600_000,
    feedback_types: ['wandb.runnable.*'],
    tags: ['good'],
    rating_min: 0.5,
    monitor_ids: ['watch', 'w*'],
    span_types: ['agent_turn'],
    group_by: ['scorer_id'],
  })
  await snapshot('aggregate', aggregateStatement(body, bucketSeconds(body)))
})

it.each<[string, object]>([
  [
    'filter',
    { query: { $expr: { $gt: [field('feedback.[wandb.runnable.judge].payload.output'), literal(1)] } } },
  ],
  [
    'filter-any',
    { query: { $expr: { $eq: [field('feedback.[wandb.note.1].payload.note'), literal('x')] } } },
  ],
  ['sort', { sort_by: [{ field: 'feedback.[*].runnable_ref', direction: 'asc' }] }],
  ['queue', { query: { $expr: { $eq: [field('annotation_queue_items.queue_id'), literal('q')] } } }],
])('calls by what hangs on them, %s', async (name, more) => {
  const body = callsStreamQuery.body!.parse({ project_id, limit: 10, ...more })
  await snapshot(`calls-${name}`, keysStatement(pageOf(body, callFields(project_id)), lineOf(body)))
})
