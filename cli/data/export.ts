/** `heddle export`: all calls of a project into a JSONL file, as the public interface streams them. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../command.js'
import { post, type Target } from '../http-client.js'
import { Progress } from '../progress.js'

const NEW_LINE = 0x0a

/**
 * Writes the calls to `file`, whole or not at all.
 * @returns how many there were
 */
export async function exportCalls(to: Target, project: string, file: string): Promise<number> {
  const stats = (await (await post(to, '/calls/query_stats', { project_id: project })).json()) as {
    count: number
  }
  const answer = await post(to, '/calls/stream_query', { project_id: project })
  const body: AsyncIterable<Uint8Array> | null = answer.body
  if (body === null) throw new CommandError('the answer has no body')
  const progress = new Progress('calls', stats.count)
  const temporary = `${file}.part`
  let count = 0
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) count++
      progress.at(count)
      yield chunk
    }
  }
  try {
    await pipeline(counted(body), createWriteStream(temporary))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await rename(temporary, file)
  progress.end(count)
  return count
}
