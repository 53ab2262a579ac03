/** What a trainer worker says of itself, so that others can tell whether jobs are taken. Knows nothing of jobs. */
import { z } from 'zod'
import { parsedAs } from '../../platform/json/parse.js'

export const trainerAnnouncement = z.object({
  worker: z.string(),
  /** ms since 1970 */
  at: z.number(),
  /** models that it trains at the moment */
  running: z.number(),
  nodes: z.array(
    z.object({
      address: z.string(),
      /** base model; empty: it was not reached, or does not train */
      model: z.string(),
      devices: z.number(),
      /** of the job that runs there; empty: idle */
      job: z.string(),
      sharesWithServing: z.boolean(),
    }),
  ),
})
export type TrainerAnnouncement = z.infer<typeof trainerAnnouncement>

/** Hash of announcements by worker. */
export const TRAINERS_KEY = 'heddle:trainers'
/** An announcement is believed for so long. */
export const TRAINER_BELIEVED_MS = 6000

/** Those that can be believed. @param now ms since 1970 */
export function trainersAlive(texts: Iterable<string>, now: number): TrainerAnnouncement[] {
  return [...texts].flatMap((text) => {
    const one = parsedAs(trainerAnnouncement, text)
    return one && now - one.at <= TRAINER_BELIEVED_MS ? [one] : []
  })
}
