/** `heddle datasets`: publishes the rows of a file, and writes those of a version. Rows keep their digits. */
import { refIn } from '../../contract/ref.js'
import { byteLines } from '../../platform/json/lines.js'
import { membersOf } from '../../platform/json/members.js'
import { isObject } from '../../platform/json/object.js'
import { CommandError } from '../command.js'
import { post, projectPath, sendText, type Target } from '../http-client.js'
import { writeOut } from '../output.js'
import type { Shown } from '../shown.js'
import { say } from '../subcommand.js'
import { textFrom } from './objects.js'
import { readVersion, refOf, versionNamed } from './version.js'

/** Publishes a version. @param file of JSON lines; `-`: the standard input */
export async function pushDataset(to: Target, project: string, name: string, file: string): Promise<Shown> {
  const lines = (await textFrom(file)).split('\n')
  const rows = lines.flatMap((line, i) => (line.trim() === '' ? [] : rowIn(line, `line ${i + 1} of ${file}`)))
  const path = projectPath(project, 'datasets')
  const body = `{"name":${JSON.stringify(name)},"rows":[${rows.join(',')}]}`
  const made = await sendText<{ object_id: string; digest: string }>(to, path, body)
  say(`published ${rows.length.toLocaleString('en-US')} rows`)
  const ref = refOf(project, made)
  return { value: { ref, rows: rows.length }, text: `${ref}\n` }
}

function rowIn(line: string, where: string): string {
  try {
    if (isObject(JSON.parse(line))) return line
  } catch (error) {
    throw new CommandError(`${where} is not JSON: ${(error as Error).message}`, 2)
  }
  throw new CommandError(`${where} is not a JSON object`, 2)
}

/** Writes the rows of a version as JSON lines. @param out `-`: the standard output @returns how many rows it has */
export async function pullDataset(to: Target, project: string, name: string, out: string): Promise<number> {
  const table = await tableOf(to, project, name)
  let count = 0
  await writeOut(out, async function* () {
    const { body } = await post(to, '/table/query_stream', {
      project_id: table.project,
      digest: table.digest,
    })
    for await (const line of byteLines(body as AsyncIterable<Uint8Array>)) {
      count++
      yield `${membersOf(line.toString()).get('val')}\n`
    }
  })
  return count
}

/** The table with the rows of a dataset. @throws CommandError for another object */
async function tableOf(
  to: Target,
  project: string,
  name: string,
): Promise<{ project: string; digest: string }> {
  const { val } = await readVersion(to, versionNamed(project, name))
  const rows = isObject(val) && typeof val.rows === 'string' ? refIn(val.rows) : undefined
  if (rows?.kind === 'table') return rows
  throw new CommandError(`${name} is not a dataset; \`heddle datasets list ${project}\` lists them`, 2)
}
