/** Random feedback, as clients send it. Pure. */
import type { Row } from '../../test/support/api.js'
import { type Chance, prose } from './text.js'

/** Feedback on a call: a note, or a program's finding. */
export function opinion(project: string, callId: string, chance: Chance): Row {
  const about = { project_id: project, weave_ref: `weave:///${project}/call/${callId}` }
  if (chance.below(3) === 0)
    return { ...about, feedback_type: 'wandb.note.1', payload: { note: prose(chance, 80) } }
  const payload = { score: chance.below(1_000) / 1_000, reason: prose(chance, 80) }
  return { ...about, feedback_type: 'quality', payload }
}
