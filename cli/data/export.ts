/** `heddle export`: all calls of a project as JSONL, as the public interface streams them. */
import { CommandError } from '../command.js'
import { post, projectNamed, type Target } from '../http-client.js'
import { writeOut } from '../output.js'
import { Progress } from '../progress.js'
import { CALL_COLUMNS } from './call-columns.js'

const NEW_LINE = 0x0a

export interface ExportOptions {
  project: string
  /** `-`: the standard output */
  out: string
  feedback?: boolean
}

/**
 * Writes the calls.
 * @returns how many there were
 * @throws CommandError if there are none, or the file can't be written: before anything is read
 */
export async function exportCalls(to: Target, { project, out, feedback }: ExportOptions): Promise<number> {
  let count = 0
  async function* counted() {
    const asked = { project_id: projectNamed(project) }
    const stats = (await (await post(to, '/calls/query_stats', asked)).json()) as { count: number }
    if (stats.count === 0)
      throw new CommandError(`${project} has no calls; \`heddle projects\` lists the projects that exist`)
    const { body } = await post(to, '/calls/stream_query', {
      ...asked,
      columns: CALL_COLUMNS,
      include_feedback: feedback === true,
    })
    const progress = new Progress('calls', stats.count)
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) count++
      progress.at(count)
      yield chunk
    }
    progress.end(count)
  }
  await writeOut(out, counted)
  return count
}
