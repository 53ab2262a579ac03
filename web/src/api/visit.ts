/** That a page is looked at by its link: without a session, and nothing of the project beside it can be asked for. */
import { createContext, useContext } from 'react'
import type { Refs } from './refs'

export interface Visit {
  /** of the link */
  token: string
  /** what refs in the call that is shown point at */
  refs: Refs
  /** that is shown; '' where none is */
  callId: string
}

export const VisitContext = createContext<Visit | undefined>(undefined)

/** undefined: somebody who is signed in looks at it in its project. */
export const useVisit = (): Visit | undefined => useContext(VisitContext)
