/**
 * Joins turns by their tokens: one whose prompt begins with all that was said before goes on in the same sequence; one that
 * a client has shortened or rewritten begins another. Every completion is trained on once, in the context that the model
 * had. Pure.
 */

/** The tokens of one completion. */
export interface TurnTokens {
  prompt: readonly number[]
  completion: readonly number[]
}

export interface Sequence {
  ids: number[]
  /** the tokens that are trained on, from and to: the completions */
  trained: [number, number][]
}

/**
 * Adds a turn to the sequence that it goes on with, of several the longest, or to a new one.
 * @returns the sequence
 */
export function addTurn<S extends Sequence>(sequences: S[], turn: TurnTokens, begin: () => S): S {
  let best: S | undefined
  for (const one of sequences)
    if (one.ids.length > (best?.ids.length ?? 0) && beginsWith(turn.prompt, one.ids)) best = one
  if (!best) {
    best = begin()
    sequences.push(best)
  }
  for (let i = best.ids.length; i < turn.prompt.length; i++) best.ids.push(turn.prompt[i]!)
  best.trained.push([best.ids.length, best.ids.length + turn.completion.length])
  for (const id of turn.completion) best.ids.push(id)
  return best
}

function beginsWith(whole: readonly number[], start: readonly number[]): boolean {
  // Turns of other conversations mostly differ soon; of the same, at the end.
  return whole.length >= start.length && start.every((id, i) => id === whole[i])
}
