/** Does what waits to be done: each action until it is done, refused, or was tried for a day. */

import type { RuleAction } from '../../contract/rules.js'
import { READABLE_WITHIN_US } from '../../domain/calls/read/written.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { WatchOptions } from '../../platform/leases/leased-work.js'
import { isDue } from '../../platform/retry/due.js'
import { LONGEST_WAIT, nextTry } from '../../platform/retry/over-a-day.js'
import type { Actions, Done, Perform } from './actions/action.js'
import { requesterOf } from './known.js'
import { type ActionRun, keepRuns, runsMark, waitingSince } from './runs.js'

/** Actions of different rules that are done at the same time. */
const AT_ONCE = 8
/** Matches that are added to a dataset or a queue at once. */
const TOGETHER = 500
const BATCHED: readonly RuleAction['type'][] = ['add_to_dataset', 'add_to_queue']
/** How long an action waits if the store fails. */
const STORE_WAIT_US = 5e6

export interface PerformerOptions extends Omit<WatchOptions, 'redisUrl'> {
  actions: Actions
  register: ProjectRegister
  /** false: it was stopped, and waits; undefined: there is no such rule any more */
  isActive: (projectId: string, rule: string) => boolean | undefined
}

export class Performer {
  /** by id */
  private waiting = new Map<string, ActionRun>()
  /** by id, what was done lately, and when (µs) that was written */
  private readonly finished = new Map<string, number>()
  /** by rule and action */
  private readonly busy = new Map<string, Promise<void>>()
  private readAt = 0
  private mark: string | undefined
  private readonly done

  constructor(private readonly options: PerformerOptions) {
    const { metrics } = options
    this.done = metrics.counter('rule_actions_total', 'Tries of actions of rules, by type and result.', [
      'type',
      'result',
    ])
    metrics.gauge('rule_actions_waiting', 'Actions of rules that are to be done.', () => this.waiting.size)
  }

  forget(): void {
    this.waiting = new Map()
    this.readAt = 0
    this.mark = undefined
  }

  /** Reads what another process left, or what is to be tried again. */
  async read(): Promise<void> {
    const since = Math.max(0, this.readAt - READABLE_WITHIN_US)
    const mark = await runsMark(this.options.marks, since)
    if (mark === this.mark) return
    const now = Date.now() * 1000
    const found = await waitingSince(this.options.store, since)
    await this.options.register.learn(found.map(({ projectId }) => projectId))
    // What was done while this was read looks as if it waited.
    this.add(found.filter(({ id, ver }) => !this.waiting.has(id) && ver > (this.finished.get(id) ?? 0)))
    this.readAt = now
    this.mark = mark
    for (const [id, at] of this.finished) if (at < now - 4 * READABLE_WITHIN_US) this.finished.delete(id)
  }

  add(runs: readonly ActionRun[]): void {
    for (const run of runs) this.waiting.set(run.id, run)
  }

  /** Begins what is due. @param isMine whether this process still is the one that acts */
  attempt(isMine: () => boolean): void {
    for (const [key, due] of groupBy(this.due(), keyOf)) {
      if (this.busy.size >= AT_ONCE) return
      if (this.busy.has(key)) continue
      const work = this.drain(due, isMine).finally(() => this.busy.delete(key))
      this.busy.set(key, work)
    }
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await Promise.all(this.busy.values())
  }

  private due(): ActionRun[] {
    const now = Date.now() * 1000
    const { isActive } = this.options
    return [...this.waiting.values()].filter(
      ({ nextAt, projectId, rule }) =>
        isDue(nextAt, now, LONGEST_WAIT) && isActive(projectId, rule) !== false,
    )
  }

  private async drain(due: readonly ActionRun[], isMine: () => boolean): Promise<void> {
    const size = BATCHED.includes(due[0]!.action.type) ? TOGETHER : 1
    for (let i = 0; i < due.length && isMine(); i += size) {
      const runs = due.slice(i, i + size)
      await this.once(runs).catch((error: unknown) => {
        this.options.log.warn({ err: error }, 'could not keep what rules did; trying again')
        const nextAt = Date.now() * 1000 + STORE_WAIT_US
        this.add(runs.map((run) => ({ ...run, nextAt })))
      })
    }
  }

  private async once(runs: readonly ActionRun[]): Promise<void> {
    const { store } = this.options
    let current = runs.map((run) => ({ ...run, attempts: run.attempts + 1 }))
    const before = async (made: string) => {
      current = current.map((run) => ({ ...run, made }))
      await keepRuns(store, current)
    }
    const dones = await this.perform(runs, before)
    const now = Date.now() * 1000
    const after = current.map((run, i) => afterTry(run, dones[i]!, now))
    const at = await keepRuns(store, after)
    for (const run of after) {
      this.done.inc({ type: run.action.type, result: run.state === 'waiting' ? 'failed' : run.state })
      if (run.state === 'waiting') this.waiting.set(run.id, run)
      else {
        this.waiting.delete(run.id)
        this.finished.set(run.id, at)
      }
    }
  }

  private async perform(
    runs: readonly ActionRun[],
    before: (made: string) => Promise<void>,
  ): Promise<(Done | Failure)[]> {
    const { projectId, rule, action } = runs[0]!
    const { actions, register, isActive, log } = this.options
    const project = register.nameOf(projectId)
    if (project === undefined) return runs.map(() => ({ problem: 'The project is gone.' }))
    if (isActive(projectId, rule) === undefined) return runs.map(() => ({ problem: 'The rule was deleted.' }))
    try {
      const perform = actions[action.type] as Perform<RuleAction['type']>
      return await perform(action, runs, { requester: requesterOf(project), projectId, before })
    } catch (error) {
      const known = error instanceof HeddleError
      if (!known) log.error({ err: error }, 'an action of a rule failed')
      const problem = known ? error.message : 'Internal error; the log of the server has the details.'
      const mayPass = !known || error.status >= 500 || error.status === 429 || error.status === 409
      return runs.map(() => ({ problem, mayPass }))
    }
  }
}

interface Failure {
  problem: string
  mayPass: boolean
}

const keyOf = ({ projectId, position, ref }: ActionRun) => `${projectId} ${ref} ${position}`

/** @param now µs since the epoch */
function afterTry(run: ActionRun, done: Done | Failure, now: number): ActionRun {
  if ('result' in done) return { ...run, state: 'done', result: done.result, problem: '', nextAt: 0 }
  const { problem } = done
  const nextAt = 'mayPass' in done && done.mayPass ? nextTry(run.attempts, now) : undefined
  if (nextAt === undefined) return { ...run, state: 'failed', problem, nextAt: 0 }
  return { ...run, problem, nextAt }
}
