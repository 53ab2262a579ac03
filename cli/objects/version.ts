/** Versions of objects as people name them, and what is stored of them. */
import { objRead } from '../../contract/objects.js'
import { parseRef, RefError, refText } from '../../contract/ref.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerIn } from '../contract-client.js'
import { projectNamed, type Target } from '../http-client.js'

/** A version by its object, and a digest, `latest`, `v<index>`, an alias or a label. */
export interface VersionName {
  project: string
  name: string
  version: string
}

export type StoredObject = AnswerTo<typeof objRead>['obj']

/** `name`, `name:version`, `name@label`, or a ref; without a version the latest. @throws CommandError */
export function versionNamed(project: string, text: string): VersionName {
  if (text.includes('://')) return inRef(text)
  const [, name = '', version = 'latest'] = /^([^:@]+)(?:[:@](.+))?$/.exec(text) ?? []
  if (name !== '') return { project: projectNamed(project), name, version }
  throw new CommandError(`"${text}" names no version; write name, name:version or name@label`, 2)
}

function inRef(text: string): VersionName {
  try {
    const ref = parseRef(text)
    if (ref.kind === 'object') return { project: ref.project, name: ref.name, version: ref.digest }
  } catch (error) {
    if (!(error instanceof RefError)) throw error
  }
  throw new CommandError(`"${text}" is not the ref of an object`, 2)
}

/** @throws AnswerError if there is no such version */
export async function readVersion(
  to: Target,
  { project, name, version }: VersionName,
): Promise<StoredObject> {
  const asked = { object_id: name, digest: version, include_tags_and_aliases: true }
  return (await answerIn(to, project, objRead, asked)).obj
}

/** The ref of a version by its digest, so that it stays the same when aliases move. */
export function refOf(
  project: string,
  { object_id: name, digest }: Pick<StoredObject, 'object_id' | 'digest'>,
): string {
  return refText({ project, kind: 'object', name, digest, steps: [] })
}

/** The ref that a name means now. @throws CommandError */
export async function refNamed(to: Target, project: string, text: string): Promise<string> {
  const named = versionNamed(project, text)
  return refOf(named.project, await readVersion(to, named))
}
