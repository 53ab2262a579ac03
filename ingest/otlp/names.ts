/** Names of spans and calls, cut to what may be stored. Lengths are in characters. */
import { createHash } from 'node:crypto'
import { DISPLAY_NAME_LIMIT, OP_NAME_LIMIT } from '../../common/calls/limits.js'
import { projectPart } from '../../common/refs/ref.js'

/** What a span without a name is called. */
const UNNAMED = 'span'

/** The name of a span's op: one of 128 characters or more ends in `:` and four hex digits of its hash. */
export function opNameOf(spanName: string): string {
  if (spanName.length < OP_NAME_LIMIT) return spanName === '' ? UNNAMED : spanName
  const characters = [...spanName]
  if (characters.length < OP_NAME_LIMIT) return spanName
  const hash = createHash('sha256').update(spanName).digest('hex').slice(0, 4)
  return `${characters.slice(0, OP_NAME_LIMIT - 5).join('')}:${hash}`
}

/** A display name: one of 1024 characters or more ends in `...`. */
export function displayNameOf(name: string): string {
  if (name.length < DISPLAY_NAME_LIMIT) return name
  const characters = [...name]
  return characters.length < DISPLAY_NAME_LIMIT
    ? name
    : `${characters.slice(0, DISPLAY_NAME_LIMIT - 3).join('')}...`
}

/** The ref of an op object: its name percent-encoded, all but letters, digits and `_.-~`. */
export function opRef(project: string, name: string, digest: string): string {
  return `weave:///${projectPart(project)}/op/${encoded(name)}:${digest}`
}

function encoded(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
