/** What is shown of monitors' scores. Pure. */
import type { Schemas } from '../../api/client'

type Path = Schemas['FeedbackPayloadPath']
type Result = Schemas['TriedScore']['result']

/** The name in a ref of an object. */
export const nameIn = (ref: string): string => /\/object\/([^/:]+)/.exec(ref)?.[1] ?? ref

/** Where judgements are, the likeliest first. */
const JUDGEMENTS = ['value', 'passed', 'score', 'similarity']

/** The path of the judgement in a scorer's feedback; undefined: it has nothing to draw. */
export function judgementPath(paths: readonly Path[]): Path | undefined {
  const places = JUDGEMENTS.map((name) => paths.find(({ json_path: path }) => path === `output.${name}`))
  const drawn = paths.filter(({ value_type: type }) => type !== 'categorical')
  return (
    places.find((one) => one !== undefined) ??
    drawn.find(({ json_path: path }) => path !== 'output.confidence')
  )
}

/** A scorer's judgement in few words, and whether it noticed something. */
export function saidOf(result: Result): { text: string; isTrue: boolean; why: string } {
  const { reason, confidence: _, ...values } = result ?? {}
  const [value] = Object.values(values)
  return { text: String(value), isTrue: value === true, why: typeof reason === 'string' ? reason : '' }
}
