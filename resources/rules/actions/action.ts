import type { RuleAction } from '../../../contract/rules.js'
import type { Requester } from '../../evaluation/parts.js'
import type { ActionRun } from '../runs.js'

/** Where and for whom actions are done. */
export interface Place {
  requester: Requester
  projectId: string
  /** notes what is about to be made, so that what follows from it is known to be a rule's */
  before: (made: string) => Promise<void>
}

/** How an action went; one that throws is tried again unless the error is the caller's. */
export type Done = { result: string } | { problem: string }

type Of<Type extends RuleAction['type']> = Extract<RuleAction, { type: Type }>

/** Does an action for matches; of those that are done one by one, there is one. @returns in order */
export type Perform<Type extends RuleAction['type']> = (
  action: Of<Type>,
  runs: readonly ActionRun[],
  place: Place,
) => Promise<Done[]>

export type Actions = { [Type in RuleAction['type']]: Perform<Type> }
