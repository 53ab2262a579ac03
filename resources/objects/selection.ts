/** Parses a request's name for a version: a digest, `latest`, `v<index>` or an alias. Pure. */
import { errors } from '../../platform/errors/catalog.js'
import type { Wanted } from './versions.js'

/** The form of this service's digests. */
const DIGEST = /^[A-Za-z0-9]{43}$/
const INDEX = /^v(\d{1,9})$/
const TAG = /^[-\p{L}\p{N}_]+( [-\p{L}\p{N}_]+)*$/u
const TAG_LIMIT = 256
const ALIAS_LIMIT = 128

/** The version that `name` selects, unless it is an alias, which the caller looks up. */
export function wantedBy(name: string, project: string, object: string): Wanted {
  if (name === 'latest') return { project, object, by: 'latest' }
  const index = INDEX.exec(name)
  if (index) return { project, object, by: 'index', index: Number(index[1]) }
  return { project, object, by: 'digest', digest: name }
}

export function mayBeAlias(name: string): boolean {
  return name !== 'latest' && !INDEX.test(name)
}

export function looksLikeDigest(name: string): boolean {
  return DIGEST.test(name)
}

/** Throws 400 unless all `tags` are valid. */
export function checkTags(tags: readonly string[]): void {
  const bad = tags.find((tag) => tag.length > TAG_LIMIT || !TAG.test(tag))
  if (bad !== undefined)
    throw errors.badRequest(
      `"${bad.slice(0, 300)}" can't be a tag: use at most ${TAG_LIMIT} letters, digits, "_", "-" and single spaces.`,
    )
}

/** Throws 400 unless all `aliases` are valid. */
export function checkAliases(aliases: readonly string[]): void {
  const bad = aliases.find(
    (alias) => alias === '' || alias.length > ALIAS_LIMIT || /[/:]/.test(alias) || isTaken(alias),
  )
  if (bad !== undefined)
    throw errors.badRequest(
      `"${bad.slice(0, 200)}" can't be an alias: use at most ${ALIAS_LIMIT} characters without "/" and ":", neither latest nor v and a number.`,
    )
}

function isTaken(alias: string): boolean {
  return alias === 'latest' || /^v\d+$/.test(alias)
}
