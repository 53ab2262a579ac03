import { describe, expect, it } from 'vitest'
import { objsQuery } from '../../contract/objects.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { storedBytes } from '../project/routes.js'
import { liveAliases, liveTags, ofObjects } from './labels-sql.js'
import { listVersions } from './list.js'
import { heads, values, wantedVersions } from './versions.js'

const key = { project: 'p1', object: 'thing' }
const list = (asked: object) =>
  listVersions('p1', objsQuery.body!.parse({ project_id: 'acme/one', ...asked }))

/** The statements as reviewers read them. */
const cases: Record<string, Sql> = {
  'read-by-digest': wantedVersions([{ ...key, by: 'digest', digest: 'd' }]),
  'read-several': wantedVersions([
    { ...key, by: 'digest', digest: 'd' },
    { ...key, by: 'index', index: 3 },
    { ...key, by: 'latest' },
  ]),
  'before-create': heads([{ ...key, digest: 'd' }]),
  values: values([{ ...key, digest: 'd' }]),
  list: list({}),
  'list-filtered': list({
    filter: {
      object_ids: ['a', "b'); DROP TABLE objects; --"],
      base_object_classes: ['Model'],
      exclude_base_object_classes: ['Scorer'],
      leaf_object_classes: ['Mine'],
      is_op: false,
      latest_only: true,
      tags: ['good'],
      aliases: ['prod', 'latest'],
    },
    sort_by: [{ field: 'object_id', direction: 'desc' }, { field: "x'; --" }],
    limit: 10,
    offset: 5,
  }),
  tags: liveTags(ofObjects('p1', ['thing'])),
  aliases: liveAliases(ofObjects('p1', ['thing'])),
  'bytes-of-traces': storedBytes('traces', 'p1'),
  'bytes-of-objects': storedBytes('objects', 'p1'),
}

describe('the SQL of objects', () => {
  it.each(Object.entries(cases))('%s', async (name, statement) => {
    const { query, params } = statement.render()
    const text = `${query}\n\n-- ${JSON.stringify(params)}\n`
    expect(query).not.toContain('DROP')
    await expect(text).toMatchFileSnapshot(`./__snapshots__/${name}.sql`)
  })
})
