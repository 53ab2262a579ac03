/** Plans who gives the rewards of a job and what is checked, with the caller's rights, when the job is created. */
import type { z } from 'zod'
import type { JobCheck, JobReward } from '../../contract/training-guidance.js'
import { type Guidance, guidance } from '../../domain/training/guidance.js'
import type { StoredModel } from '../../domain/training/models.js'
import { ask, configured } from '../from-traces/rows.js'
import { invalid } from './problems.js'
import type { Requester } from './sources.js'

interface Asked {
  reward?: z.output<typeof JobReward> | null | undefined
  check?: z.output<typeof JobCheck> | null | undefined
}

interface Plans {
  scorers: unknown[]
  dataset: unknown
}

/** The tracing interface's plans of scorers, and a dataset's table. */
export type PlanScorers = (
  asked: { project_id: string; scorer_refs: string[]; dataset_ref?: string },
  requester: Requester,
) => Promise<Plans>

/** @param tracingUrl the tracing interface's, read when needed */
export function scorerPlanner(tracingUrl: () => string | undefined): PlanScorers {
  return async (asked, { credentials, signal }) => {
    const reader = { url: configured(tracingUrl()), caller: { credentials, signal } }
    const answer = await ask(reader, '/scorers/plan', asked)
    return (await answer.json()) as Plans
  }
}

/** @returns undefined if nothing is to be done before the job is trained @throws 422, and the tracing interface's errors */
export async function guidanceFor(
  plan: PlanScorers,
  { entity, project }: StoredModel,
  { reward, check }: Asked,
  requester: Requester,
): Promise<Guidance | undefined> {
  if (!reward && !check) return undefined
  const name = `${entity}/${project}`
  const planned = async (scorer: string, dataset?: string) => {
    const asked = { project_id: name, scorer_refs: [scorer], ...(dataset && { dataset_ref: dataset }) }
    const plans = await plan(asked, requester)
    return { scorer: plans.scorers[0], dataset: plans.dataset }
  }
  const checker = check?.scorer ?? reward?.scorer
  if (check && checker === undefined) throw invalid(['check', 'scorer'], 'Field required without a reward')
  const { dataset, scorer, path, ...rest } = check ?? {}
  return guidance.parse({
    ...{ v: 1, username: requester.principal.username, project: name },
    reward: reward ? { path: reward.path, scorer: (await planned(reward.scorer)).scorer } : null,
    check: check
      ? {
          ...(await planned(checker!, dataset)),
          ...rest,
          path: path ?? (scorer ? null : (reward?.path ?? null)),
        }
      : null,
  })
}
