import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addTurn, type Sequence, type TurnTokens } from './sequences.js'

const joined = (turns: readonly TurnTokens[]) => {
  const sequences: Sequence[] = []
  for (const turn of turns) addTurn(sequences, turn, () => ({ ids: [], trained: [] }))
  return sequences
}
const trainedIn = ({ ids, trained }: Sequence) => trained.map(([from, to]) => ids.slice(from, to))

/** Few ids, so that conversations begin alike by chance. */
const ids = (least = 0) => fc.array(fc.nat(2), { minLength: least, maxLength: 4 })
/** What a client does before it asks: it adds, or it begins anew with something else. */
const step = fc.record({ added: ids(1), completion: ids(1), rewritten: fc.option(ids(1), { freq: 4 }) })

it('each completion is trained on once, after exactly its prompt, whatever clients rewrite', () => {
  const conversations = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(conversations, (all) => {
      const turns = all.flatMap((steps) => {
        let said: number[] = []
        return steps.map(({ added, completion, rewritten }) => {
          const prompt = [...(rewritten ?? said), ...added]
          said = [...prompt, ...completion]
          return { prompt, completion }
        })
      })
      const sequences = joined(turns)
      const seen = sequences.flatMap(({ ids, trained }) =>
        trained.map(([from, to]) => ({ prompt: ids.slice(0, from), completion: ids.slice(from, to) })),
      )
      const text = (some: readonly TurnTokens[]) => some.map((turn) => JSON.stringify(turn)).sort()
      expect(text(seen)).toEqual(text(turns))
      // Nothing else is trained on, and nothing follows the last completion.
      for (const { ids, trained } of sequences) expect(trained.at(-1)![1]).toBe(ids.length)
    }),
  )
})

it('a conversation that only grows is one sequence', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      let said: number[] = []
      const turns = steps.map(({ added, completion }) => {
        const prompt = [...said, ...added]
        said = [...prompt, ...completion]
        return { prompt, completion }
      })
      const [only, ...others] = joined(turns)
      expect(others).toEqual([])
      expect(only!.ids).toEqual(said)
      expect(trainedIn(only!)).toEqual(steps.map(({ completion }) => completion))
    }),
  )
})

it.each([
  ['one that was compacted begins another', [[1, 2], [7]], [2, [[1, 2, 9]], [[7, 9]]]],
  ['one that another agent interrupts goes on', [[1], [5], [1, 9, 2]], [2, [[1, 9, 2, 9]], [[5, 9]]]],
])('%s', (_, prompts, [count, first, second]) => {
  const sequences = joined(prompts.map((prompt) => ({ prompt, completion: [9] })))
  expect(sequences).toHaveLength(count as number)
  expect([[sequences[0]!.ids], [sequences[1]!.ids]]).toEqual([first, second])
})
