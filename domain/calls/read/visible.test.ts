import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Rooms that read calls, without the one that defines them and the one that writes them. */
const READERS = [
  'domain',
  'query',
  'resources',
  'mcp',
  'training-api',
  'evaluation-worker',
  'trainer-worker',
  'cli',
]

/** What names the tables itself, and why it may. */
const MAY: Readonly<Record<string, string>> = {
  'query/sql/views.ts': 'statements of users, which end with the rows of views',
  'domain/erasure/erase.ts': 'removes every row',
  'domain/retention/apply.ts': 'the age of all rows of a store',
  'cli/data/projects.ts': 'the first and last row of each project',
  'cli/data/backup/backup.ts': 'the rows of a backup',
}

const NAMED = /\b(?:FROM|JOIN)\s+\(?(?:calls|calls_open)\b|\/calls\/calls-of\.js'/

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (path === 'domain/calls' || entry.name === 'testing' || entry.name === 'node_modules') continue
    if (entry.isDirectory()) yield* sources(path)
    else if (path.endsWith('.ts') && !path.endsWith('.test.ts')) yield path
  }
}

test('every reader of calls selects its rows by the one rule', () => {
  const named = READERS.flatMap((room) => [...sources(room)]).filter((path) =>
    NAMED.test(
      readFileSync(join(ROOT, path), 'utf8')
        // Examples in texts for people.
        .replaceAll(/^.*heddle sql.*$/gm, ''),
    ),
  )
  expect(named.sort()).toEqual(Object.keys(MAY).sort())
})
