/** What the address of the rules holds. Pure. */
import type { RunState } from '../../api/rules'
import { textsOf } from '../../app/search-text'

const FORMS = ['new', 'example', 'edit', 'copy'] as const
const STATES: readonly RunState[] = ['waiting', 'done', 'failed', 'cut']

export interface RulesSearch {
  tab?: 'runs' | undefined
  /** of the form: the rule that is edited or copied; of the runs: the one that they are of */
  rule?: string | undefined
  /** of the runs: how one of their actions went */
  state?: RunState | undefined
  /** a rule is made or changed */
  form?: (typeof FORMS)[number] | undefined
}

const oneOf = <One extends string>(all: readonly One[], given: unknown): One | undefined =>
  all.find((one) => one === given)

export function readRulesSearch({ tab, state, form, ...given }: Record<string, unknown>): RulesSearch {
  const [shown, known] = [oneOf(FORMS, form), oneOf(STATES, state)]
  return {
    ...(tab === 'runs' && { tab }),
    ...textsOf(given, ['rule']),
    ...(known && { state: known }),
    ...(shown && { form: shown }),
  }
}
