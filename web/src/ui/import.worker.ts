/** Reads one file into rows, and hands them out. */
import { toSend } from '../api/json'
import { rowsOf } from './import'

/** The first letters of every Parquet file. */
const PARQUET = 'PAR1'

self.addEventListener('message', async ({ data: bytes }: MessageEvent<ArrayBuffer>) => {
  try {
    postMessage({ rows: toSend(await read(bytes)) })
  } catch (error) {
    postMessage({ problem: error instanceof Error ? error.message : String(error) })
  }
})

async function read(bytes: ArrayBuffer) {
  const magic = new TextDecoder('latin1').decode(bytes.slice(0, PARQUET.length))
  if (magic !== PARQUET) return rowsOf(new TextDecoder().decode(bytes))
  const { parquetRows } = await import('./parquet/parquet')
  return parquetRows(bytes)
}
