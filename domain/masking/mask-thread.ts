import { type Outcome, outcomeOf } from '../../platform/threads/outcome.js'
import type { Task } from '../../platform/threads/work-threads.js'
import { type Masked, maskRows } from './mask-rows.js'
import type { MaskWork } from './masks.js'

const work: MaskWork = { maskRows }

export default function run({ kind, input }: Task<MaskWork>): Outcome<Masked> {
  return outcomeOf(() => work[kind](input))
}
