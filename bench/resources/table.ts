/** A large table: uploaded in chunks as the SDKs do, uploaded again, streamed, changed. */
import type { Server } from '../../test/support/server.js'
import type { Row } from '../figures.js'
import { sendAll } from '../load/requests.js'
import { type Metered, metered } from '../processes.js'
import { measureExport } from '../read/measure.js'
import { rateRow } from './rate.js'
import { RowBody } from './rows.js'

const PROJECT = 'bench/table'
/** Rows of about 300 bytes in a chunk of the 10 MB that the Python SDK sends. */
const CHUNK = 30_000
const CONNECTIONS = 4
const UPLOAD_TARGET = 60_000
const STREAM_TARGET = 150_000
const APPENDED = 1_000

/** The table as others read it. */
export interface Dataset {
  project: string
  digest: string
  rowDigests: readonly string[]
  /** Of an object that holds the table under `rows`. */
  ref: string
  /** Of all rows, as the server counts them. */
  bytes: number
}

interface Upload {
  digest: string
  rowDigests: string[]
  chunks: number[]
  list: Metered<string>
}

/** Uploads a table of `rows` rows and does to it what must be fast. */
export async function measureTable(server: Server, rows: number): Promise<{ rates: Row[]; table: Dataset }> {
  const size = Math.min(CHUNK, Math.ceil(rows / CONNECTIONS))
  const bodies = Array.from({ length: CONNECTIONS }, (_, n) => new RowBody(PROJECT, size, n + 1))
  const found = await metered(server, () => upload(server, bodies, rows, size, rows))
  const { digest, rowDigests, chunks, list } = found.value
  const named = { unit: 'rows', connections: CONNECTIONS, acknowledged: rows }
  const before = await sizeOf(server, digest)
  // One chunk and the list, as after an answer that was lost.
  const again = await upload(server, bodies, size, size, rows, rowDigests)
  const after = await sizeOf(server, digest)
  if (again.digest !== digest || after.bytes !== before.bytes)
    throw new Error('a retry made another table of it')
  const uploaded = {
    ...{ ...named, name: `table uploaded in chunks of ${size} rows, then put together` },
    ...{ target: UPLOAD_TARGET, stored: before.count, storedAgain: after.count },
  }
  const put = rateRow({ ...named, name: 'of that, put together by digests', connections: 1 }, list, [
    list.seconds * 1000,
  ])
  const { digest: object } = await server.api.ok('/obj/create', {
    obj: {
      project_id: PROJECT,
      object_id: 'dataset',
      val: { rows: `weave:///${PROJECT}/table/${digest}` },
    },
  })
  const ref = `weave:///${PROJECT}/object/dataset:${String(object)}`
  const rates = [
    rateRow(uploaded, found, chunks),
    put,
    await stream(server, digest, rows),
    await append(server, digest, rows),
  ]
  return { rates, table: { project: PROJECT, digest, rowDigests, ref, bytes: before.bytes } }
}

/** Sends the first `rows` rows in chunks and makes a table of them, or of the digests given. */
async function upload(
  server: Server,
  bodies: readonly RowBody[],
  rows: number,
  size: number,
  ofAll: number,
  known?: readonly string[],
): Promise<Upload> {
  const digests: string[][] = []
  const make = (n: number, connection: number) => {
    const body = bodies[connection]!.stamp(n * size, Math.min(size, ofAll - n * size))
    return { path: '/table/create', body }
  }
  const take = (text: string, n: number) => {
    digests[n] = (JSON.parse(text) as { row_digests: string[] }).row_digests
  }
  const count = Math.ceil(rows / size)
  const chunks = await sendAll(server, { connections: CONNECTIONS, count, make, take })
  const rowDigests = known ? [...known] : digests.flat()
  const list = await metered(server, async () => {
    const asked = { project_id: PROJECT, row_digests: rowDigests }
    return String((await server.api.ok('/table/create_from_digests', asked)).digest)
  })
  return { digest: list.value, rowDigests, chunks, list }
}

async function sizeOf(server: Server, digest: string): Promise<{ count: number; bytes: number }> {
  const asked = { project_id: PROJECT, digests: [digest], include_storage_size: true }
  const { tables } = await server.api.ok('/table/query_stats_batch', asked)
  const [first] = tables as { count: number; storage_size_bytes: number }[]
  return { count: first?.count ?? 0, bytes: first?.storage_size_bytes ?? 0 }
}

async function stream(server: Server, digest: string, rows: number): Promise<Row> {
  const body = { project_id: PROJECT, digest }
  const found = await metered(server, () => measureExport(server, '/table/query_stream', body))
  const { lines, firstByteMs } = found.value
  if (lines !== rows) throw new Error(`${lines} rows were streamed and not ${rows}`)
  const name = 'table streamed whole (request: first byte)'
  const what = { name, unit: 'rows', connections: 1, target: STREAM_TARGET, acknowledged: lines }
  return rateRow(what, found, [firstByteMs])
}

/** Appends rows to the table, which makes another table. */
async function append(server: Server, digest: string, rows: number): Promise<Row> {
  const updates = Array.from({ length: APPENDED }, (_, n) => ({ append: { row: { appended: n } } }))
  const asked = { project_id: PROJECT, base_digest: digest, updates }
  const found = await metered(server, () => server.api.ok('/table/update', asked))
  const { count } = await sizeOf(server, String(found.value.digest))
  const again = await server.api.ok('/table/update', asked)
  if (again.digest !== found.value.digest || count !== rows + APPENDED)
    throw new Error(`the table has ${count} rows after ${APPENDED} were appended to ${rows}`)
  const name = `${APPENDED} rows appended to it by an update`
  const what = { name, unit: 'rows', connections: 1, acknowledged: APPENDED, stored: count - rows }
  return rateRow(what, found, [found.seconds * 1000])
}
