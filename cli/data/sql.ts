/** `heddle sql`: runs a SELECT over a project, and shows its rows or writes them as the server sends them. */
import { text } from 'node:stream/consumers'
import { CommandError } from '../command.js'
import { post, projectNamed, readJson, type Target } from '../http-client.js'
import { readNamed } from '../named-file.js'
import { writeOut } from '../output.js'
import { list, type Shown } from '../shown.js'

export interface SqlOptions {
  /** undefined: a table for people */
  format?: string
  out?: string
  json?: boolean
  param?: readonly string[]
}

const NO_STATEMENT = new CommandError("give a statement: heddle sql me/first 'SELECT count() FROM calls'", 2)
const FORMATS = ['json', 'jsonl', 'csv', 'parquet', 'arrow']
/** Rows of a table for people; the rest is counted. */
const SHOWN = 200

interface Answer {
  meta: { name: string }[]
  data: Record<string, unknown>[]
}

/** @param given the statement; `@file`: in a file; `-` or nothing: at the standard input */
export async function runSql(
  to: Target,
  project: string,
  given: string | undefined,
  { format, out, json, param = [] }: SqlOptions,
): Promise<void> {
  const chosen = format ?? (json ? 'json' : out === undefined ? undefined : formatOf(out))
  if (chosen !== undefined && !FORMATS.includes(chosen))
    throw new CommandError(`there is no format "${chosen}"; use one of ${FORMATS.join(', ')}`, 2)
  const query = await statementOf(given)
  if (query.trim() === '') throw NO_STATEMENT
  const params = Object.fromEntries(param.map(paramOf))
  const body = { project_id: projectNamed(project), query, format: chosen ?? 'json', params }
  const answer = await post(to, '/sql', body)
  if (chosen === undefined) {
    process.stdout.write(tableOf((await answer.json()) as Answer).text)
    return
  }
  await writeOut(out ?? '-', () => answer.body as AsyncIterable<Uint8Array>)
}

/** The tables and their columns. */
export async function sqlTables(to: Target): Promise<Shown> {
  const { tables } = await readJson<{
    tables: { name: string; columns: { name: string; type: string; description: string }[] }[]
  }>(to, '/sql/tables')
  const columns = tables.flatMap((table) => table.columns.map((column) => ({ table: table.name, ...column })))
  return list(columns, ['table', 'column', 'type', ''], (one) => [
    one.table,
    one.name,
    one.type,
    one.description,
  ])
}

async function statementOf(given: string | undefined): Promise<string> {
  if (given?.startsWith('@')) return readNamed(given.slice(1)).toString()
  if (given !== undefined && given !== '-') return given
  if (given === undefined && process.stdin.isTTY) throw NO_STATEMENT
  return text(process.stdin)
}

function paramOf(given: string): [string, unknown] {
  const at = given.indexOf('=')
  if (at < 1) throw new CommandError(`"${given}" is no parameter; write name=value`, 2)
  const [name, value] = [given.slice(0, at), given.slice(at + 1)]
  if (!value.startsWith('[')) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    throw new CommandError(`the list of ${name} is not JSON; write ["a","b"]`, 2)
  }
}

const formatOf = (file: string) => FORMATS.find((format) => file.endsWith(`.${format}`)) ?? 'csv'

const cell = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function tableOf({ meta, data }: Answer): Shown {
  const names = meta.map(({ name }) => name)
  const shown = list(data.slice(0, SHOWN), names, (row) => names.map((name) => cell(row[name])), 'no rows')
  const rest = data.length - SHOWN
  return rest > 0
    ? { ...shown, text: `${shown.text}and ${rest} more rows; --format csv writes all\n` }
    : shown
}
