/**
 * The grammar of refs: `weave:///{entity}/{project}/{kind}/{name}:{digest}/attr/…` with percent-encoded parts, and the
 * internal form with a project's id instead of its name.
 */
import { isProjectName } from '../platform/ids/project.js'

const EXTERNAL = 'weave:///'
const INTERNAL = 'weave-trace-internal:///'

/** How a step selects a part of a value: an attribute or key of an object, a list index, or a table row's digest. */
export type StepKind = 'attr' | 'key' | 'index' | 'id'
export interface Step {
  kind: StepKind
  name: string
}

export interface ObjectRef {
  kind: 'object' | 'op'
  name: string
  /** a digest; in a client's ref also `latest`, `v<index>`, an alias or `*` */
  digest: string
  steps: Step[]
}
export interface TableRef {
  kind: 'table'
  digest: string
}
export interface CallRef {
  kind: 'call'
  id: string
  steps: Step[]
}
/** A parsed ref; `project` is `entity/project` or an internal id, depending on the form. */
export type Ref = { project: string } & (ObjectRef | TableRef | CallRef)

/** The text is not a ref; the message says why. */
export class RefError extends Error {
  override readonly name = 'RefError'

  constructor(text: string, problem: string) {
    super(`"${text.length > 200 ? `${text.slice(0, 200)}…` : text}" is not a ref: ${problem}`)
  }
}

/** Parses a ref in wire form. @throws RefError */
export function parseRef(text: string): Ref {
  if (!text.startsWith(EXTERNAL)) throw new RefError(text, `it does not start with ${EXTERNAL}`)
  const parts = partsOf(text, EXTERNAL)
  const [entity = '', project = '', ...rest] = parts
  const name = `${entity}/${project}`
  if (entity.includes('/') || project.includes('/') || !isProjectName(name))
    throw new RefError(text, 'it does not name an entity/project')
  return { project: name, ...target(text, rest) }
}

/** Parses `text` as a ref in wire form; undefined if it is not one. */
export function refIn(text: string): Ref | undefined {
  try {
    return parseRef(text)
  } catch (error) {
    if (error instanceof RefError) return undefined
    throw error
  }
}

/** Parses a ref in internal form; undefined if `text` is not one. */
export function parseInternalRef(text: string): Ref | undefined {
  if (!text.startsWith(INTERNAL)) return undefined
  try {
    const [project = '', ...rest] = partsOf(text, INTERNAL)
    return project === '' ? undefined : { project, ...target(text, rest) }
  } catch {
    return undefined
  }
}

/** The wire form of a ref whose `project` is `entity/project`. */
export function refText(ref: Ref): string {
  return `${EXTERNAL}${projectPart(ref.project)}/${targetText(ref)}`
}

function partsOf(text: string, scheme: string): string[] {
  try {
    return text.slice(scheme.length).split('/').map(decodeURIComponent)
  } catch {
    throw new RefError(text, 'a percent sign is not followed by two hex digits')
  }
}

function target(text: string, parts: readonly string[]): ObjectRef | TableRef | CallRef {
  const [kind, what = '', ...rest] = parts
  if (what === '') throw new RefError(text, 'it has no target')
  if (kind === 'object' || kind === 'op') {
    const colon = what.indexOf(':')
    if (colon < 1 || colon === what.length - 1)
      throw new RefError(text, `a ref of an ${kind} ends in name:digest`)
    return { kind, name: what.slice(0, colon), digest: what.slice(colon + 1), steps: stepsOf(text, rest) }
  }
  if (kind === 'call') return { kind, id: what, steps: stepsOf(text, rest) }
  if (kind === 'table') {
    if (rest.length > 0) throw new RefError(text, 'a ref of a table has no path')
    return { kind, digest: what }
  }
  throw new RefError(text, 'its kind is not object, op, table or call')
}

function stepsOf(text: string, parts: readonly string[]): Step[] {
  if (parts.length % 2 !== 0) throw new RefError(text, 'its path has a step without a name')
  const steps: Step[] = []
  for (let i = 0; i < parts.length; i += 2) {
    const kind = parts[i]!
    const name = parts[i + 1]!
    if (kind !== 'attr' && kind !== 'key' && kind !== 'index' && kind !== 'id')
      throw new RefError(text, `"${kind}" is not attr, key, index or id`)
    if (kind === 'index' && !/^\d{1,15}$/.test(name))
      throw new RefError(text, `the index "${name}" is not a whole number`)
    steps.push({ kind, name })
  }
  return steps
}

function targetText(ref: ObjectRef | TableRef | CallRef): string {
  if (ref.kind === 'table') return `table/${encodePart(ref.digest)}`
  const what = ref.kind === 'call' ? encodePart(ref.id) : `${namePart(ref.name)}:${encodePart(ref.digest)}`
  const steps = ref.steps.map(({ kind, name }) => `/${kind}/${encodePart(name)}`)
  return `${ref.kind}/${what}${steps.join('')}`
}

/**
 * `entity/project` as written in wire refs: the SDKs write it raw and decode no escapes, so only the percent sign
 * itself is escaped.
 */
export function projectPart(project: string): string {
  return project.replaceAll('%', '%25')
}

/** An object name in a ref: letters and digits of any script stay, all else is percent-escaped. */
function namePart(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.~-]+/gu, encodePart)
}

/** Percent-escapes all but ASCII letters, digits and `_.-~`. */
function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
