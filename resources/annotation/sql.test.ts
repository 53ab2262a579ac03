import { describe, expect, it } from 'vitest'
import { queueItemsQuery, queuesQuery } from '../../contract/annotation.js'
import { sumAnswers } from './annotators.js'
import { listItems } from './item.js'
import { listQueues } from './queues.js'

const project_id = 'acme/one'
const hostile = "'); DROP TABLE annotation_queues; --"
const desc = (field: string) => ({ field, direction: 'desc' })
const queues = (asked: object) => listQueues(queuesQuery.body!.parse({ project_id, ...asked }))
const items = (asked: object) => listItems(hostile, queueItemsQuery.body!.parse({ project_id, ...asked }))

/** The statements as reviewers read them. */
const cases = {
  queues: queues({}),
  'queues-filtered': queues({ name: hostile, sort_by: [desc('name')], limit: 10, offset: 5 }),
  items: items({}),
  'items-filtered': items({
    filter: { id: hostile, call_id: 'c', annotation_states: ['skipped'] },
    sort_by: [desc('annotation_state')],
    limit: 10,
    offset: 5,
  }),
  'items-own': listItems(hostile, queueItemsQuery.body!.parse({ project_id }), hostile),
  agreement: sumAnswers(hostile, hostile),
}

describe('the SQL of annotation queues', () => {
  it.each(Object.entries(cases))('%s', async (name, statement) => {
    const { query, params } = statement.render()
    expect(query).not.toContain('DROP')
    await expect(`${query}\n\n-- ${JSON.stringify(params)}\n`).toMatchFileSnapshot(
      `./__snapshots__/${name}.sql`,
    )
  })
})
