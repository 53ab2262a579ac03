/** What a scorer's result says of a turn. */
import { describe, expect, it } from 'vitest'
import { turnScoreOf } from './agent-monitor.js'

const nothing = {
  ...{ scorer_tags: [], scorer_tag_reasons: {}, scorer_tag_confidences: {} },
  ...{ scorer_ratings: {}, scorer_rating_reasons: {}, scorer_rating_confidences: {} },
}

describe('the score of a turn', () => {
  it('is a tag where something holds, with its reason', () => {
    expect(turnScoreOf('refusal', { value: true, reason: 'It says no.', confidence: 0.9 })).toEqual({
      ...nothing,
      ...{ scorer_tags: ['refusal'], scorer_tag_reasons: { refusal: 'It says no.' } },
      scorer_tag_confidences: { refusal: 0.9 },
    })
  })

  it('is a rating for a number, and a tag for a text, of several, too', () => {
    const scores = [{ value: 0.25, reason: 'short' }, { value: 'off-topic' }, { value: null }]
    expect(turnScoreOf('policy', { scores })).toEqual({
      ...nothing,
      ...{ scorer_tags: ['off-topic'], scorer_ratings: { policy: 0.25 } },
      scorer_rating_reasons: { policy: 'short' },
    })
  })

  it.each([{ value: false, reason: '' }, { good: true }, null, 'x', { scores: [] }])(
    'is none for %j',
    (value) => {
      expect(turnScoreOf('refusal', value)).toBeUndefined()
    },
  )
})
