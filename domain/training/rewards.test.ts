import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  distinct,
  judgedGroup,
  judgedOutput,
  numberIn,
  rewarded,
  rewardsOf,
  trajectoriesOf,
} from './rewards.js'

const user = (content: string) => ({ role: 'user', content })
const choice = (content: string) => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content },
})
const groupOf = (prompt: object[], answers: string[], more: object = {}) => ({
  trajectories: answers.map((answer) => ({ messages_and_choices: [...prompt, choice(answer)], ...more })),
})

describe('what a judge sees', () => {
  it('is the question once, and each answer as its text', () =>
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string(), { minLength: 1 }), (prompt, answers) => {
        const question = prompt.map(user)
        expect(judgedGroup(groupOf(question, answers))).toEqual({ question, answers })
      }),
    ))

  it('has the turns that differ in the answers, and no log-probabilities', () => {
    const turns = (said: string) => ({
      messages_and_choices: [
        user('Hi'),
        { ...choice('Hello'), logprobs: { content: [] } },
        user(said),
        choice('Bye'),
      ],
    })
    expect(judgedGroup({ trajectories: [turns('a'), turns('b')] })).toEqual({
      question: [user('Hi')],
      answers: ['a', 'b'].map((said) => [
        { role: 'assistant', content: 'Hello' },
        user(said),
        { role: 'assistant', content: 'Bye' },
      ]),
    })
  })

  it('has each different answer once, and every answer finds its like', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (answers) => {
        const { shown, of } = distinct(answers)
        expect(new Set(shown).size).toBe(shown.length)
        expect(of.map((place) => shown[place])).toEqual(answers)
      }),
    ))

  it('is for a scorer of single outputs the last answer, with metadata as columns', () => {
    const group = {
      ...groupOf([user('Why?')], ['So.'], { metadata: { expected: 'So.' } }),
      metadata: { lang: 'en' },
    }
    expect(judgedOutput(group, trajectoriesOf(group)[0]!)).toEqual({
      output: 'So.',
      row: { lang: 'en', expected: 'So.', messages: [user('Why?')], user_input: 'Why?' },
    })
  })
})

describe('rewards', () => {
  it('are given, missing or mixed', () => {
    expect(rewardsOf(groupOf([], ['a', 'b']))).toBe('missing')
    expect(rewardsOf(groupOf([], ['a'], { reward: 0 }))).toBe('given')
    const [one, other] = [groupOf([], ['a']), groupOf([], ['b'], { reward: 1 })]
    expect(rewardsOf({ trajectories: [...one.trajectories, ...other.trajectories] })).toBe('mixed')
    expect(rewardsOf({ trajectories: [], exceptions: [{}] })).toBe('given')
  })

  it('are put beside their trajectories, which stay as they were', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.double({ noNaN: true })), { minLength: 1 }), (pairs) => {
        const group = {
          ...groupOf(
            [user('?')],
            pairs.map(([text]) => text),
          ),
          logs: ['x'],
        }
        const made = rewarded(
          group,
          pairs.map(([, reward]) => reward),
        )
        const expected = group.trajectories.map((one, i) => ({ ...one, reward: pairs[i]![1] }))
        expect(made).toEqual({ ...group, trajectories: expected })
      }),
    ))

  it.each([
    [true, null, 1],
    [0.5, null, 0.5],
    [{ score: 0.25, reason: '' }, null, 0.25],
    [{ passed: false }, null, 0],
    [{ deep: { good: true } }, 'deep.good', 1],
    ['good', null, undefined],
    [{ score: 'high' }, null, undefined],
    [{ score: 1 }, 'toString', undefined],
  ])('in %j at %j are %j', (value, path, expected) => expect(numberIn(value, path)).toBe(expected))
})
