/** The entry of a thread. */
import { outcomeOf } from '../../platform/threads/outcome.js'
import { type Task, work } from './task.js'

export default function run({ kind, input }: Task): unknown {
  return outcomeOf(() => work(kind, input))
}
