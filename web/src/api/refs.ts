/** What the refs in values point at. The weave SDKs trace what comes from an object, such as a model's attribute, as a ref. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isRef, refsIn } from '../../../domain/refs/in-values'
import { post } from './client'
import { isInside } from './json'
import { useVisit } from './visit'

/** Values by their refs; without those that can't be read. */
export type Refs = ReadonlyMap<string, unknown>

export const NO_REFS: Refs = new Map()

const BATCH = 1_000
const DEEPEST = 200

/** @returns the values of refs, without those that can't be read */
export async function readRefs(refs: readonly string[], signal?: AbortSignal): Promise<Refs> {
  const found = new Map<string, unknown>()
  for (let at = 0; at < refs.length; at += BATCH) {
    const some = refs.slice(at, at + BATCH)
    const { vals } = await post('/refs/read_batch', { refs: some, allow_missing: true }, signal)
    for (const [i, ref] of some.entries()) if (vals[i] !== null) found.set(ref, vals[i])
  }
  return found
}

export const refsQuery = (refs: readonly string[]) =>
  queryOptions({
    queryKey: ['refs', ...refs],
    enabled: refs.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readRefs(refs, signal),
  })

/** What the refs in a value point at, as soon as it has been read. */
export function useRefs(value: unknown): Refs {
  const visit = useVisit()
  const refs = useMemo(() => (visit ? [] : refsIn(value)), [visit, value])
  const { data = NO_REFS } = useQuery(refsQuery(refs))
  return visit?.refs ?? data
}

/** The value with what its refs point at in their place. */
export function withValues<T>(value: T, refs: Refs): T {
  if (refs.size === 0) return value
  const walk = (one: unknown, depth: number): unknown => {
    if (isRef(one)) return refs.get(one) ?? one
    if (!isInside(one) || depth > DEEPEST) return one
    if (Array.isArray(one)) return one.map((inner) => walk(inner, depth + 1))
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner, depth + 1)]))
  }
  return walk(value, 0) as T
}

/** The parts of a ref that people read. */
export interface NamedRef {
  project: string
  name: string
  digest: string
  /** which part of the object: `system`; empty: all of it */
  path: string
}

export function namedRef(ref: string): NamedRef {
  const [entity = '', project = '', , target = '', ...steps] = ref
    .slice('weave:///'.length)
    .split('/')
    .map(decoded)
  const colon = target.lastIndexOf(':')
  // Of a table's row, the digest says nothing to people.
  const names = steps.flatMap((name, i) => (i % 2 === 1 && steps[i - 1] !== 'id' ? [name] : []))
  return {
    project: `${entity}/${project}`,
    name: target.slice(0, colon),
    digest: target.slice(colon + 1),
    path: names.join('.'),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
