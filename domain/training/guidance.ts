/** What the service does for a job before it is trained, as planned when the job was created. No secrets. */
import { z } from 'zod'
import { scorerPlan } from '../evaluation/plan.js'

/** Who gives a number for an answer. */
const given = { scorer: scorerPlan, path: z.string().nullable() }

export const guidance = z.object({
  v: z.literal(1),
  /** who asked for the job; the judge reads with these rights */
  username: z.string(),
  /** `entity/project` of the model */
  project: z.string(),
  reward: z.object(given).nullable(),
  check: z
    .object({
      ...given,
      /** ref, internal id of the project, and digest of the table */
      dataset: z.object({ ref: z.string(), project: z.string(), table: z.string() }),
      every: z.number(),
      rows: z.number(),
      max_tokens: z.number(),
      window: z.number(),
      min_change: z.number(),
    })
    .nullable(),
})
export type Guidance = z.infer<typeof guidance>

/** The guidance of a job; undefined: none. @throws if another release wrote it */
export function guidanceOf({ guidance: text }: { guidance: string }): Guidance | undefined {
  return text === '' ? undefined : guidance.parse(JSON.parse(text))
}
