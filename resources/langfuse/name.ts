/** The object ids of Langfuse's datasets and prompts by their names. Pure. */
import { hash } from 'node:crypto'
import { OBJECT_ID_LIMIT } from '../../contract/limits.js'
import { safeName } from '../../domain/refs/op-name.js'
import { isObjectId } from '../objects/create.js'

const HASH = 8

/** The object id of what Langfuse calls `name`: the name itself if an object can have it, else one that no other name gets. */
export function objectIdOf(name: string): string {
  if (isObjectId(name)) return name
  const start = [...safeName(name)].slice(0, OBJECT_ID_LIMIT - HASH - 1).join('')
  return `${start || 'object'}-${hash('sha256', name).slice(0, HASH)}`
}

/** The name of an object that has this id and calls itself `own`: one by which it is found again. */
export function langfuseNameOf(id: string, own: unknown): string {
  return typeof own === 'string' && objectIdOf(own) === id ? own : id
}
