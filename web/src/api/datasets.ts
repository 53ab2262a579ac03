/** Writes datasets: every change makes a new version. */
import { ApiError, post, type Schemas } from './client'
import { tableOf } from './objects'

export type Row = Record<string, unknown>
export type TableUpdate = Schemas['TableUpdateReq']['updates'][number]

/** Rows of a request. */
const BATCH = 1_000
const MOST_CHARACTERS = 4_000_000

/** Some rows at a time, as they are read. */
type Rows = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

/** Adds rows to the newest version, or makes a dataset where there is none. @returns the digest of the version */
export async function addRows(project: string, name: string, rows: Rows): Promise<string> {
  const found = await latestObject(project, name)
  let table = found && tableOf(found.val)
  if (found !== undefined && table === undefined)
    throw new Error(`${name} is there already, and is no dataset with a table.`)
  for await (const some of batchesOf(rows)) {
    if (table === undefined)
      table = (await post('/table/create', { table: { project_id: project, rows: some } })).digest
    else
      table = await updated(
        project,
        table,
        some.map((row) => ({ append: { row } })),
      )
  }
  if (table === undefined) throw new Error('There are no rows to add.')
  return publish(project, name, found?.val, table)
}

/** As many rows as a request takes. */
async function* batchesOf(rows: Rows): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for await (const some of rows)
    for (const row of some) {
      batch.push(row)
      characters += JSON.stringify(row).length
      if (batch.length < BATCH && characters < MOST_CHARACTERS) continue
      yield batch
      batch = []
      characters = 0
    }
  if (batch.length > 0) yield batch
}

/** Changes rows of a version. @returns the digest of the new one */
export async function changeRows(
  object: Pick<Schemas['ObjSchema'], 'project_id' | 'object_id' | 'val'>,
  updates: readonly TableUpdate[],
): Promise<string> {
  const { project_id: project, object_id: name, val } = object
  let table = tableOf(val)!
  for (let at = 0; at < updates.length; at += BATCH)
    table = await updated(project, table, updates.slice(at, at + BATCH))
  return publish(project, name, val, table)
}

/** The newest version of an object; undefined: there is none of this name. */
export async function latestObject(project: string, name: string): Promise<Schemas['ObjSchema'] | undefined> {
  try {
    return (await post('/obj/read', { project_id: project, object_id: name, digest: 'latest' })).obj
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

async function updated(
  project: string,
  base_digest: string,
  updates: readonly TableUpdate[],
): Promise<string> {
  return (await post('/table/update', { project_id: project, base_digest, updates: [...updates] })).digest
}

async function publish(project: string, name: string, old: unknown, table: string): Promise<string> {
  const fresh = {
    _type: 'Dataset',
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
    name,
    description: null,
  }
  const val = { ...((old as object | undefined) ?? fresh), rows: `weave:///${project}/table/${table}` }
  const obj = { project_id: project, object_id: name, val }
  return (await post('/obj/create', { obj })).digest
}
