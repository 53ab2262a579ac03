/** `heddle objects`: versions of objects of any class; lists and reads serve datasets and prompts, too. */
import { objsQuery } from '../../contract/objects.js'
import { CommandError } from '../command.js'
import { answerIn } from '../contract-client.js'
import { ask, projectNamed, sendText, type Target } from '../http-client.js'
import { readNamed } from '../named-file.js'
import { wholeNumber } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'
import { readVersion, refOf, type StoredObject, type VersionName, versionNamed } from './version.js'

interface ListOptions {
  class?: string
  versions?: boolean
  limit: string
}

/** Versions of objects of a class, or of any; the newest first. */
const listOf = (base?: string) => async (to: Target, project: string, options: ListOptions) => {
  const of = base ?? options.class
  const { objs } = await answerIn(to, project, objsQuery, {
    filter: {
      latest_only: options.versions !== true,
      is_op: false,
      ...(of !== undefined && { base_object_classes: [of] }),
    },
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    ...{ limit: wholeNumber('--limit', options.limit), metadata_only: true, include_tags_and_aliases: true },
  })
  const shown = objs.map(({ val: _, ...one }) => ({ ...one, ref: refOf(project, one) }))
  return list(
    shown,
    ['NAME', 'VERSION', 'CLASS', 'CREATED', 'ALIASES'],
    (one) => [
      one.object_id,
      `v${one.version_index}`,
      one.leaf_object_class ?? one.base_object_class ?? '',
      timeText(one.created_at),
      (one.aliases ?? []).join(', '),
    ],
    'none',
  )
}
export const objectList = listOf()
export const datasetList = listOf('Dataset')
export const promptList = listOf('Prompt')

/** A version with its value. */
export async function objectScreen(to: Target, project: string, name: string): Promise<Shown> {
  const named = versionNamed(project, name)
  const found = await readVersion(to, named)
  return { value: found, text: `${versionText(named, found)}\n${JSON.stringify(found.val, undefined, 2)}\n` }
}

/** `weave:///… (v3, alias production)`. */
function versionText({ project }: VersionName, found: StoredObject): string {
  const aliases = (found.aliases ?? []).filter((one) => one !== 'latest')
  return `${refOf(project, found)} (${[`v${found.version_index}`, ...aliases].join(', ')})`
}

/** Publishes a file of JSON as a version. */
export async function createObject(to: Target, project: string, name: string, file: string): Promise<Shown> {
  return publish(to, project, name, await jsonFrom(file))
}

/** Publishes JSON text as a version, and shows its ref. */
export async function publish(to: Target, project: string, name: string, json: string): Promise<Shown> {
  const head = JSON.stringify({ project_id: projectNamed(project), object_id: name })
  // The value stays as it is written, digits and all.
  const body = `{"obj":${head.slice(0, -1)},"val":${json}}}`
  const { digest } = await sendText<{ digest: string }>(to, '/obj/create', body)
  const ref = refOf(project, { object_id: name, digest })
  return { value: { ref }, text: `${ref}\n` }
}

/** JSON text from a file, or `-`. @throws CommandError if it is no JSON */
async function jsonFrom(file: string): Promise<string> {
  const text = await textFrom(file)
  try {
    JSON.parse(text)
    return text
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`, 2)
  }
}

/** @param file `-`: the standard input */
export async function textFrom(file: string): Promise<string> {
  if (file !== '-') return readNamed(file).toString()
  const { text } = await import('node:stream/consumers')
  return text(process.stdin)
}

/** Lets names point at a version; each moves from the one that it named before. */
export async function setAliases(
  to: Target,
  project: string,
  name: string,
  aliases: readonly string[],
): Promise<Shown> {
  const named = versionNamed(project, name)
  const { object_id, digest, version_index: index } = await readVersion(to, named)
  const body = { project_id: named.project, digest, aliases }
  await ask(to, 'PUT', `/objs/${encodeURIComponent(object_id)}/aliases`, body)
  say(`${object_id} v${index} is ${aliases.join(', ')} now`)
  const ref = refOf(named.project, { object_id, digest })
  return { value: { ref, version_index: index, aliases }, text: '' }
}
