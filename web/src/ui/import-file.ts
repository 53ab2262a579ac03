/** The rows of a chosen file, read by a worker, so that the page never waits for them. */
import { received, type Sent } from '../api/json'
import type { Row } from './row'

const FILE_LIMIT = 200_000_000
/** A damaged Parquet file can name a run of a billion values in three bytes. */
const TIME_LIMIT_MS = 60_000

/** @throws Error that says what to do */
export async function rowsOfFile(file: File): Promise<Row[]> {
  if (file.size > FILE_LIMIT)
    throw new Error(`${file.name} has more than ${FILE_LIMIT / 1e6} MB. Choose a part of it.`)
  const bytes = await file.arrayBuffer()
  const refusal = new Error(
    `${file.name} could not be read: it is damaged, or too large. Choose a part of it.`,
  )
  const worker = new Worker(new URL('./import.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(reject, TIME_LIMIT_MS, refusal)
      worker.addEventListener('error', () => reject(refusal))
      worker.addEventListener('message', ({ data }: MessageEvent<{ rows: Sent } | { problem: string }>) =>
        'rows' in data ? resolve(received(data.rows) as Row[]) : reject(new Error(data.problem)),
      )
      worker.postMessage(bytes, [bytes])
    })
  } finally {
    worker.terminate()
  }
}
