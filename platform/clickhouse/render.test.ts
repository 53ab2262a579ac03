import { describe, expect, it } from 'vitest'
import { mutableName } from './cluster.js'
import { rendered, shippedMigrations } from './migrate.js'
import { render } from './render.js'

const CREATE =
  'CREATE TABLE IF NOT EXISTS calls {on_cluster}\n(a String)\nENGINE = {engine:ReplacingMergeTree(ver)}\nORDER BY a'

describe('on one server', () => {
  it('placeholders go', () => {
    expect(render(CREATE, undefined)).toEqual([
      'CREATE TABLE IF NOT EXISTS calls\n(a String)\nENGINE = ReplacingMergeTree(ver)\nORDER BY a',
    ])
    expect(render('ALTER TABLE calls {on_cluster} ADD COLUMN IF NOT EXISTS b String', undefined)).toEqual([
      'ALTER TABLE calls ADD COLUMN IF NOT EXISTS b String',
    ])
  })
  it('names are plain', () => {
    expect(mutableName('calls', undefined).render().query).toBe('calls')
  })
})

describe('on a cluster', () => {
  it.each([
    ['a table over shards is two', CREATE],
    [
      'a small table is whole on every node',
      'CREATE TABLE IF NOT EXISTS api_keys {on_cluster} (a String) ENGINE = {engine:MergeTree} ORDER BY a',
    ],
    ['a change reaches both', 'ALTER TABLE calls {on_cluster} ADD COLUMN IF NOT EXISTS b String'],
    ['both go', 'DROP TABLE IF EXISTS calls {on_cluster}'],
    ['rows are changed through their names', `INSERT INTO projects SELECT 1`],
  ])('%s', (_, statement) => {
    expect(render(statement, 'main').join(';\n')).toMatchSnapshot()
  })
  it('a table that nobody has decided on is refused', () => {
    expect(() => render(CREATE.replace('calls', 'new_table'), 'main')).toThrow('cluster.ts')
  })
  it('a placeholder in a strange place is refused', () => {
    expect(() => render('OPTIMIZE TABLE calls {on_cluster}', 'main')).toThrow("can't stand here")
  })
  it('updates and deletes name the table below', () => {
    expect(mutableName('calls', 'main').render().query).toBe('calls_local ON CLUSTER main')
    expect(mutableName('api_keys', 'main').render().query).toBe('api_keys')
  })
  it.each(shippedMigrations().map((migration) => [migration.file, migration] as const))(
    '%s reads',
    (_, migration) => {
      expect(rendered(migration, 'main').join(';\n\n')).toMatchSnapshot()
    },
  )
})
