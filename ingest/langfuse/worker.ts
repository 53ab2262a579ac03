import { outcomeOf } from '../../platform/threads/outcome.js'
import type { Task } from '../../platform/threads/work-threads.js'
import { WORK } from './work.js'

export default function run({ kind, input }: Task<typeof WORK>): unknown {
  return outcomeOf(() => WORK[kind](input as never))
}
