/** Calls and feedback from the files of `heddle export-files`. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openParquet, type ParquetRow } from '../../platform/files/parquet-rows.js'
import { JsonError } from '../../platform/json/error.js'
import { JsonNumber, type JsonTree, parseTree } from '../../platform/json/tree.js'
import { folderOf } from '../../query/export/layout.js'
import { CommandError } from '../command.js'
import { projectNamed } from '../http-client.js'
import { NotACall, piecesOf } from './call-line.js'
import { feedbackPiece } from './feedback.js'
import { MovedRefs } from './moved-refs.js'
import type { Piece } from './sink.js'
import type { Record, Stage } from './stage.js'

/** Columns whose text is JSON. */
const JSON_COLUMNS = new Set(['attributes', 'inputs', 'output', 'summary', 'otel_span', 'payload', 'scorer'])

type PiecesIn = (row: Map<string, JsonTree>) => Piece[]

/** After so many rows of a file, by name. */
interface Position {
  file: string
  rows: number
}

/**
 * @param place where the files were exported to
 * @param source the project that they are of
 * @throws CommandError if there are none
 */
export function parquetStages(place: string, source: string, project: string): Stage[] {
  const refs = new MovedRefs(source, project)
  const stage = (name: string, piecesIn: PiecesIn): Stage => {
    const folder = join(place, folderOf(name, projectNamed(source)))
    return {
      name,
      total: () => rowsIn(folder),
      read: (at) => recordsIn(folder, piecesIn, at as Position | undefined),
    }
  }
  const stages = [
    stage('calls', (row) => piecesOf(withSpan(row), project, refs)),
    stage('feedback', (row) => [feedbackPiece(withScorer(row), project, refs)]),
  ]
  if (!existsSync(join(place, folderOf('calls', source))))
    throw new CommandError(
      `no calls of ${source} in ${place}; name the folder that \`heddle export-files\` wrote to, and with --source the project that they were of`,
      2,
    )
  return stages
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.parquet'))
    .sort()
}

async function rowsIn(folder: string): Promise<number> {
  let sum = 0
  for (const name of filesIn(folder)) sum += (await opened(join(folder, name))).rows
  return sum
}

async function* recordsIn(
  folder: string,
  piecesIn: PiecesIn,
  at: Position | undefined,
): AsyncGenerator<Record> {
  for (const file of filesIn(folder)) {
    if (at !== undefined && file < at.file) continue
    const path = join(folder, file)
    const { read } = await opened(path)
    let rows = file === at?.file ? at.rows : 0
    for await (const row of readable(path, read(rows))) {
      rows++
      yield { pieces: piecesOfRow(row, piecesIn, `row ${rows} of ${path}`), position: { file, rows } }
    }
  }
}

/** The same rows. @throws CommandError for what can't be read of them */
async function* readable(path: string, rows: AsyncIterable<ParquetRow>): AsyncGenerator<ParquetRow> {
  const reading = rows[Symbol.asyncIterator]()
  for (;;) {
    const next = await reading.next().catch((error: Error) => {
      throw new CommandError(`${path} is damaged: ${error.message}`)
    })
    if (next.done) return
    yield next.value
  }
}

function piecesOfRow(row: ParquetRow, piecesIn: PiecesIn, where: string): Piece[] {
  try {
    return piecesIn(treeOf(row))
  } catch (error) {
    if (error instanceof NotACall || error instanceof JsonError)
      throw new CommandError(`${where} is not a call or feedback: ${error.message}`)
    throw error
  }
}

function opened(path: string) {
  return openParquet(path).catch((error: Error) => {
    throw new CommandError(`${path} is not a Parquet file: ${error.message}`)
  })
}

/** A row as the line of a call or feedback; without what is unset. */
function treeOf(row: ParquetRow): Map<string, JsonTree> {
  const tree = new Map<string, JsonTree>()
  for (const [name, value] of Object.entries(row)) {
    if (value === null || value === undefined || value === '') continue
    if (JSON_COLUMNS.has(name)) tree.set(name, parseTree(String(value)))
    else tree.set(name, typeof value === 'string' ? value : new JsonNumber(String(value)))
  }
  return tree
}

/** A line of a call has what an exporter sent in its attributes. */
function withSpan(row: Map<string, JsonTree>): Map<string, JsonTree> {
  const [span, attributes] = [row.get('otel_span'), row.get('attributes')]
  if (span === undefined) return row
  const all = new Map([...(attributes instanceof Map ? attributes : []), ['otel_span', span] as const])
  return new Map([...row, ['attributes', all]])
}

/** What a scorer said has a column of its own; it is sent beside the rest. */
function withScorer(row: Map<string, JsonTree>): Map<string, JsonTree> {
  const scorer = row.get('scorer')
  return scorer instanceof Map ? new Map([...row, ...scorer]) : row
}
