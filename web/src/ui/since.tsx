/** Says that a list by usage is not of all calls. */
import { Time } from './time'

export function Since({ at }: { at: string | null | undefined }) {
  if (!at) return null
  return (
    <span className="muted" title="There are too many calls to sum up what all of them used. Choose a time.">
      of calls since <Time at={at} />
    </span>
  )
}
