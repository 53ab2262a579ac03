/** A trainer worker's announcement, from which others know whether jobs are being taken. */
import { z } from 'zod'
import { parsedAs } from '../../platform/json/parse.js'
import { ageOf } from '../../platform/time/age.js'

export const trainerAnnouncement = z.object({
  worker: z.string(),
  /** ms since 1970 */
  at: z.number(),
  /** models being trained */
  running: z.number(),
  nodes: z.array(
    z.object({
      address: z.string(),
      /** base model; empty: unreachable, or does not train */
      model: z.string(),
      devices: z.number(),
      /** the running job's id; empty: idle */
      job: z.string(),
      sharesWithServing: z.boolean(),
    }),
  ),
})
export type TrainerAnnouncement = z.infer<typeof trainerAnnouncement>

/** Hash of announcements by worker. */
export const TRAINERS_KEY = 'heddle:trainers'
/** How long an announcement is valid. */
export const TRAINER_BELIEVED_MS = 6000

/** The announcements that are still valid. @param now ms since 1970 */
export function trainersAlive(texts: Iterable<string>, now: number): TrainerAnnouncement[] {
  return [...texts].flatMap((text) => {
    const one = parsedAs(trainerAnnouncement, text)
    return one && ageOf(one.at, now) <= TRAINER_BELIEVED_MS ? [one] : []
  })
}
