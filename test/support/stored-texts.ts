/** What is in the tables of a server, as its engine has it: routes may leave out what they don't show. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { jsonLines } from './api.js'
import type { Server } from './server.js'

/** The rows of a SELECT, asked of the engine itself. */
export async function rowsIn<Row = Record<string, string>>(
  { dataDir }: Server,
  query: string,
): Promise<Row[]> {
  const { url, username, password } = JSON.parse(readFileSync(join(dataDir, 'engine.json'), 'utf8'))
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const body = `${query} FORMAT JSONEachRow`
  const answer = await fetch(url, { method: 'POST', body, headers: { authorization } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return jsonLines(text) as Row[]
}

/** The columns in which a text stands, as table.column. */
export async function columnsWith(server: Server, text: string): Promise<Set<string>> {
  const columns = await rowsIn<{ table: string; name: string }>(
    server,
    "SELECT table, name FROM system.columns WHERE database = currentDatabase() AND type LIKE '%String%'",
  )
  const found = new Set<string>()
  for (const name of new Set(columns.map((column) => column.table))) {
    const all = columns.filter((column) => column.table === name)
    const counts = all.map(
      (one) => `countIf(position(toString(${one.name}), '${text}') > 0) AS ${one.name}_n`,
    )
    const [counted = {}] = await rowsIn<Record<string, number>>(
      server,
      `SELECT ${counts.join(', ')} FROM ${name}`,
    )
    for (const one of all) if (Number(counted[`${one.name}_n`]) > 0) found.add(`${name}.${one.name}`)
  }
  return found
}

/** Stores a text as a file. */
export async function uploadText(
  { url, key }: Server,
  project: string,
  name: string,
  text: string,
): Promise<void> {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new Blob([text]), name)
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/file/create`, { method: 'POST', body: form, headers })
  expect(answer.status).toBe(200)
}
