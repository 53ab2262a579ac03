/**
 * Brings together what several call objects, in the order they came, say about one call: a later start replaces the
 * start side, a later end the end side, a whole call both.
 */
import type { Half } from './half.js'

/** All that was said about one call. At least one side is there; one half can be both. */
export interface Joined {
  readonly project: string
  readonly id: string
  start: Half | undefined
  end: Half | undefined
  /** a whole call was among it: what is stored of the call already is replaced */
  whole: boolean
  /** index of the last request that said something */
  request: number
}

/** Joins halves by project and id, calls in the order of their first half. */
export function join(halves: Iterable<Half>): Joined[] {
  const calls: Joined[] = []
  const byProject = new Map<string, Map<string, Joined>>()
  for (const half of halves) {
    let byId = byProject.get(half.project)
    if (byId === undefined) {
      byId = new Map()
      byProject.set(half.project, byId)
    }
    let call = byId.get(half.id)
    if (call === undefined) {
      call = {
        project: half.project,
        id: half.id,
        start: undefined,
        end: undefined,
        whole: false,
        request: half.request,
      }
      byId.set(half.id, call)
      calls.push(call)
    }
    if (half.kind !== 'end') call.start = half
    if (half.kind !== 'start') call.end = half
    if (half.kind === 'whole') call.whole = true
    call.request = half.request
  }
  return calls
}
