/** What people and scorers said of a group of calls: means of scores, and reactions. */
import type { Schemas } from '../api/client'
import { count, decimal } from './format'

/** `platform.runnable.exact` is called `exact`. */
export const scoreName = (type: string): string => type.replace(/^(?:platform|wandb)\.(?:\w+\.(?=.))?/, '')

export function Scores({ scores, reactions }: Pick<Schemas['EndUser'], 'scores' | 'reactions'>) {
  return (
    <span className="scores">
      {Object.entries(reactions).map(([emoji, times]) => (
        <span key={emoji} className="chip">
          {emoji} {count(times)}
        </span>
      ))}
      {scores.map(({ name, count: times, mean }) => (
        <span key={name} className="chip" title={`${name}, given ${count(times)} times`}>
          {scoreName(name)} {mean === null ? `× ${count(times)}` : decimal(mean)}
        </span>
      ))}
    </span>
  )
}
