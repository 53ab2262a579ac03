/** `heddle export`: all calls of a project as JSONL, as the public interface streams them. */
import { once } from 'node:events'
import { createWriteStream, statSync, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../command.js'
import { post, projectNamed, type Target } from '../http-client.js'
import { unwritable } from '../named-file.js'
import { Progress } from '../progress.js'
import { CALL_COLUMNS } from './call-columns.js'

const NEW_LINE = 0x0a

export interface ExportOptions {
  project: string
  /** a file, written whole or not at all; `-`: the standard output */
  out: string
  feedback?: boolean
}

/**
 * Writes the calls.
 * @returns how many there were
 * @throws CommandError if there are none, or the file can't be written: before anything is read
 */
export async function exportCalls(to: Target, { project, out, feedback }: ExportOptions): Promise<number> {
  const temporary = `${out}.part`
  const file = out === '-' ? undefined : await opened(temporary, out)
  try {
    const count = await write(to, projectNamed(project), feedback === true, file ?? process.stdout)
    if (file !== undefined) await rename(temporary, out)
    return count
  } catch (error) {
    file?.destroy()
    if (file !== undefined) await rm(temporary, { force: true })
    throw error
  }
}

async function write(
  to: Target,
  project: string,
  feedback: boolean,
  out: NodeJS.WritableStream,
): Promise<number> {
  const stats = (await (await post(to, '/calls/query_stats', { project_id: project })).json()) as {
    count: number
  }
  if (stats.count === 0)
    throw new CommandError(`${project} has no calls; \`heddle projects\` lists the projects that exist`)
  const { body } = await post(to, '/calls/stream_query', {
    project_id: project,
    columns: CALL_COLUMNS,
    include_feedback: feedback,
  })
  const progress = new Progress('calls', stats.count)
  let count = 0
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) count++
      progress.at(count)
      yield chunk
    }
  }
  await pipeline(counted(body as AsyncIterable<Uint8Array>), out, { end: out !== process.stdout })
  progress.end(count)
  return count
}

/** @throws CommandError that names the file */
async function opened(temporary: string, out: string): Promise<WriteStream> {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${out} is a folder; name a file`, 2)
  const file = createWriteStream(temporary)
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    throw unwritable(out, error)
  }
}
