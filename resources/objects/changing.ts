/** Changes of an object that build on its latest version: one at a time, in any process. */
import { errors } from '../../platform/errors/catalog.js'
import type { Leases } from '../../platform/leases/lease.js'
import type { ObjectReader } from './reader.js'
import type { ObjectKey } from './versions.js'

/** Runs `work` while nobody else changes the object this way. @param work gets a number above those of earlier changes */
export function changingObject<T>(
  leases: Leases,
  { project, object }: ObjectKey,
  work: (ver: number) => Promise<T>,
): Promise<T> {
  return leases.hold(`object/${project}/${object}`, (fence) => work(Number(fence)))
}

/** @param base the digest that a change was made from, '' for none @throws `CONFLICT` if it is not the latest version */
export async function checkIsLatest(reader: ObjectReader, key: ObjectKey, base: string): Promise<void> {
  const version = await reader.version({ ...key, by: 'latest' })
  const latest = version?.deleted_at === 0 ? version.digest : ''
  if (latest === base) return
  throw errors.conflict(
    latest === ''
      ? `"${key.object}" has no version; send an empty base_digest to create it.`
      : `The latest version of "${key.object}" is ${latest}; read it and apply the change to it.`,
  )
}
