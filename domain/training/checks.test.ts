import { describe, expect, it } from 'vitest'
import { addressOf, keyOf } from './artifact-keys.js'
import { conversationFault } from './conversations.js'
import { eventId, eventNumber } from './events.js'
import { groupFault } from './trajectories.js'

const choice = (content: string, tokens: unknown[] = [{ token: content, logprob: -0.1 }]) => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content },
  logprobs: { content: tokens },
})
const trajectory = (more: object = {}) => ({
  messages_and_choices: [{ role: 'user', content: 'hi' }, choice('yes')],
  reward: 1,
  ...more,
})
const group = (...trajectories: unknown[]) => ({ trajectories })

describe('a trajectory group', () => {
  it.each([
    ['is fine', group(trajectory())],
    ['without a reward has none', group(trajectory({ reward: undefined }))],
    ['of nothing but exceptions is counted', { trajectories: [], exceptions: [{ type: 'E' }] }],
    [
      'with choices in another history',
      group({ messages_and_choices: [], additional_histories: [trajectory()] }),
    ],
    ['without logprobs', group({ messages_and_choices: [{ ...choice('a'), logprobs: null }] })],
    [
      'with tokens by id',
      group({ messages_and_choices: [choice('yes', [{ token: 'token_id:5', logprob: -1 }])] }),
    ],
    [
      'with half a character that a tokenizer names otherwise',
      group({ messages_and_choices: [choice('a\ufffdb', [{ token: 'a' }, { token: 'ÿ' }, { token: 'b' }])] }),
    ],
    [
      'with spaces elsewhere',
      group({ messages_and_choices: [choice('a b', [{ token: '▁a' }, { token: '▁b' }])] }),
    ],
    [
      'with an end token',
      group({ messages_and_choices: [choice('ab', [{ token: 'ab' }, { token: '<end>' }])] }),
    ],
  ])('%s', (_, value) => {
    expect(groupFault(value)).toBeUndefined()
  })

  it.each([
    ['no object', 5, []],
    ['no trajectories', {}, ['trajectories']],
    ['none in it', group(), ['trajectories']],
    ['metrics that are a list', { ...group(trajectory()), metrics: [1] }, ['metrics']],
    ['a reward that is text', group(trajectory({ reward: '1' })), ['trajectories', 0, 'reward']],
    ['a reward that is null', group(trajectory({ reward: null })), ['trajectories', 0, 'reward']],
    [
      'an endless reward',
      group(trajectory(), trajectory({ reward: Number.POSITIVE_INFINITY })),
      ['trajectories', 1, 'reward'],
    ],
    [
      'no choice',
      group({ messages_and_choices: [{ role: 'user', content: 'x' }] }),
      ['trajectories', 0, 'messages_and_choices'],
    ],
    [
      'a message without a role',
      group({ messages_and_choices: [{ content: 'x' }] }),
      ['trajectories', 0, 'messages_and_choices', 0, 'role'],
    ],
    [
      'a logprob above 0',
      group({ messages_and_choices: [choice('a', [{ token: 'a', logprob: 0.5 }])] }),
      ['trajectories', 0, 'messages_and_choices', 0, 'logprobs', 'content', 0, 'logprob'],
    ],
    [
      'logprobs of another message',
      group({ messages_and_choices: [choice('yes', [{ token: 'no', logprob: -1 }])] }),
      ['trajectories', 0, 'messages_and_choices', 0, 'logprobs', 'content'],
    ],
  ])('with %s is refused there', (_, value, path) => {
    expect(groupFault(value)?.path).toEqual(path)
  })

  const half = '\ud83d'
  const asked = (content: unknown) => ({ role: 'user', content })
  it.each([
    [
      'a message',
      { messages_and_choices: [asked(half), choice('yes')] },
      ['messages_and_choices', 0, 'content'],
    ],
    [
      'a part of one',
      { messages_and_choices: [asked([{ type: 'text', text: `a${half}` }]), choice('yes')] },
      ['messages_and_choices', 0, 'content', 0, 'text'],
    ],
    [
      'a choice',
      { messages_and_choices: [choice(half, [])] },
      ['messages_and_choices', 0, 'message', 'content'],
    ],
    ['tools', { ...trajectory(), tools: [{ name: half }] }, ['tools', 0, 'name']],
    [
      'another history',
      { ...trajectory(), additional_histories: [trajectory(), { messages_and_choices: [asked('\ude00')] }] },
      ['additional_histories', 1, 'messages_and_choices', 0, 'content'],
    ],
  ])('with half of a surrogate pair in %s is refused there', (_, one, path) => {
    const found = groupFault(group(trajectory(), one))
    expect(found).toMatchObject({ path: ['trajectories', 1, ...path] })
    expect(found?.message).toContain('surrogate')
    // Nobody learns from it.
    expect(groupFault(group(one), false)).toBeUndefined()
  })

  it('with halves where they are no text to learn, or whole pairs, is fine', () => {
    const one = { ...trajectory(), logs: [half], metadata: { a: half } }
    expect(groupFault(group(one, trajectory({ messages_and_choices: [choice('😀')] })))).toBeUndefined()
  })

  it('that is only logged needs no choice', () => {
    expect(groupFault(group({ messages_and_choices: [{ role: 'user' }] }), false)).toBeUndefined()
  })
})

describe('a conversation', () => {
  const answer = { role: 'assistant', content: 'yes' }
  it.each([
    [{ messages: [{ role: 'user', content: 'a' }, answer] }, undefined],
    [{ messages: [{ role: 'assistant', content: null, tool_calls: [{ id: '1' }] }] }, undefined],
    [[], 'it is not'],
    [{ messages: [] }, 'at least one'],
    [{ messages: [{ role: 'user', content: 'a' }] }, 'no assistant message'],
    [{ messages: [{ content: 'a' }, answer] }, 'messages[0] needs a role'],
    [{ messages: [answer, { role: 'assistant', content: null }] }, 'messages[1] needs content'],
    [{ messages: [answer], tools: ['a'] }, 'tools'],
    // Whether it may begin so is the model's template's business.
    [{ messages: [answer, { role: 'user', content: '😀' }, answer] }, undefined],
    [
      { messages: [answer, { role: 'user', content: 'a\ud83d' }] },
      'messages[1].content has half of a surrogate pair',
    ],
    [{ messages: [{ ...answer, tool_calls: [{ '\ude00': 1 }] }] }, 'messages[0].tool_calls[0] has half'],
    [{ messages: [answer], tools: [{ name: '\ud83d' }] }, 'tools[0].name has half'],
  ])('%j', (value, why) => {
    if (why === undefined) expect(conversationFault(value)).toBeUndefined()
    else expect(conversationFault(value)).toContain(why)
  })
})

it('ids of events are those of their job alone', () => {
  expect(eventNumber('job', eventId('job', 12))).toBe(12)
  for (const id of [eventId('other', 12), 'job-0', 'job-', 'job-1.5', 'job-1x', ''])
    expect(eventNumber('job', id)).toBeUndefined()
})

it('addresses and keys name the same thing', () => {
  for (const root of ['/data/artifacts', '/data/artifacts/', 's3://bucket/prefix'])
    expect(keyOf(root, addressOf(root, 'training/a/b'))).toBe('training/a/b')
  expect(keyOf('/data/artifacts', '/data/artifacts-2/x')).toBeUndefined()
})
