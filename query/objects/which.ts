/** How requests name a version: a digest, `latest`, `v<index>` or an alias. Pure. */
import type { Wanted } from './versions.js'

/** What a digest of this service looks like; such a text is never taken for an alias. */
const DIGEST = /^[A-Za-z0-9]{43}$/
const INDEX = /^v(\d{1,9})$/

/** What `name` asks for, but for aliases: those are looked up first. */
export function wantedBy(name: string, project: string, object: string): Wanted {
  if (name === 'latest') return { project, object, by: 'latest' }
  const index = INDEX.exec(name)
  if (index) return { project, object, by: 'index', index: Number(index[1]) }
  return { project, object, by: 'digest', digest: name }
}

/** True if `name` can only be an alias. */
export function mayBeAlias(name: string): boolean {
  return name !== 'latest' && !INDEX.test(name) && !DIGEST.test(name)
}
