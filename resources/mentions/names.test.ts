import { describe, expect, it } from 'vitest'
import { namesIn } from './mentions.js'

describe('names in a note', () => {
  it.each([
    ['@ada', ['ada']],
    ['Look, @Ada and @bob.', ['ada', 'bob.', 'bob']],
    ['(@ada@example.org)', ['ada@example.org']],
    ['mail ada@example.org, or a@b', []],
    ['@ @@ada x@ada', []],
    ['@user-acme-one: see', ['user-acme-one']],
  ])('of %j are %j', (note, names) => expect(namesIn(note)).toEqual(names))

  it('are not more than one can mean', () => {
    const many = Array.from({ length: 500 }, (_, i) => `@a${i}`).join(' ')
    expect(namesIn(many).length).toBeLessThan(50)
  })
})
