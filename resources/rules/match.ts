/** What sets off a rule. Pure. */
import type { RuleSubject } from '../../contract/rules.js'
import { derivedId } from '../../platform/ids/derived.js'

export interface Match {
  /** the same whenever the same is found */
  key: string
  /** as the actions of rules call what they make; empty: no rule makes it */
  made: string
  /** µs since the epoch, when it was stored */
  at: number
  subject: RuleSubject
}

/** What actions make, and rules hear of. */
export const made = {
  version: (object: string, digest: string) => `version ${object} ${digest}`,
  alias: (object: string, alias: string, digest: string) => `alias ${object} ${alias} ${digest}`,
  evaluation: (id: string) => `evaluation ${id}`,
  /** @param user who asked for the job */
  training: (user: string) => `training ${user}`,
}

/** @param projectId internal */
export const matchId = (projectId: string, rule: string, { key }: Match): string =>
  derivedId(`match ${projectId} ${rule} ${key}`)

export const runId = (match: string, position: number): string => derivedId(`action ${match} ${position}`)

/** The evaluation that an action starts. */
export const evaluationOf = (run: string): string => derivedId(`evaluation of ${run}`)

/** The user whose key starts a training job: one for each run, so that a job is found again. */
export const trainerOf = (run: string): string => `rule-${run}`
