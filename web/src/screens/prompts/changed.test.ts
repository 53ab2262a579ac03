import { expect, it } from 'vitest'
import { promptMessages } from '../playground/draft'
import { changedPrompt } from './changed'

const text = { _class_name: 'StringPrompt', name: 'greet', description: 'a', content: 'Be kind.' }
const chat = {
  ...{ _class_name: 'MessagesPrompt', name: 'chat', langfuse: { config: { a: 1 } } },
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
  ],
}

it('a value whose messages nobody changed is the same', () => {
  for (const value of [text, chat]) expect(changedPrompt(value, promptMessages(value)!)).toEqual(value)
})

it('a text stays a text, or becomes messages with all else that it had', () => {
  expect(changedPrompt(text, [{ role: 'system', text: 'Be short.' }])).toEqual({
    ...text,
    content: 'Be short.',
  })
  const made = changedPrompt(text, [...promptMessages(text)!, { role: 'user', text: '{q}' }])
  expect(made).toMatchObject({ _class_name: 'MessagesPrompt', name: 'greet' })
  expect(made).toMatchObject({
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: '{q}' },
    ],
  })
  expect(made).not.toHaveProperty('content')
})

it('messages keep what is theirs besides', () => {
  const made = changedPrompt(chat, [{ role: 'user', text: 'Hi' }])
  expect(made).toEqual({ ...chat, messages: [{ role: 'user', content: 'Hi' }] })
})
