/** What the address of a trace says. Pure. */

export const VIEWS = { timeline: 'Timeline', tree: 'Tree', log: 'Log', graph: 'Graph' } as const
export type View = keyof typeof VIEWS

export interface TraceSearch {
  /** how the calls are shown; absent: as a timeline */
  view?: View
  /** the id of the call that it is compared with */
  compare?: string
}

/** Takes what is known from an address. */
export function readTraceSearch({ view, compare }: Record<string, unknown>): TraceSearch {
  return {
    ...(typeof view === 'string' && Object.hasOwn(VIEWS, view) && { view: view as View }),
    ...(typeof compare === 'string' && compare !== '' && { compare }),
  }
}
