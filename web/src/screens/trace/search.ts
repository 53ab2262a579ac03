/** What the address of a trace says. Pure. */
import { textsOf } from '../../app/search-text'

export const VIEWS = { timeline: 'Timeline', tree: 'Tree', log: 'Log', graph: 'Graph' } as const
export type View = keyof typeof VIEWS

/** What is shown of a call. */
export const TABS = {
  ...{ chat: 'Conversation', data: 'Data', attributes: 'Attributes', code: 'Code' },
  ...{ feedback: 'Feedback', raw: 'Raw' },
} as const
export type Tab = keyof typeof TABS

export interface TraceSearch {
  /** how the calls are shown; absent: as a timeline */
  view?: View | undefined
  /** of the call; absent: its conversation, or else its data */
  tab?: Tab | undefined
  /** the id of the call that it is compared with */
  compare?: string | undefined
}

/** Takes what is known from an address. */
export function readTraceSearch({ view, tab, ...given }: Record<string, unknown>): TraceSearch {
  return {
    ...(typeof view === 'string' && Object.hasOwn(VIEWS, view) && { view: view as View }),
    ...(typeof tab === 'string' && Object.hasOwn(TABS, tab) && { tab: tab as Tab }),
    ...textsOf(given, ['compare']),
  }
}
