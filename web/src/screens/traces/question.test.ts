import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../../../domain/calls/listed-fields'
import { compile } from './language'
import { instructions, meantBy } from './question'

describe('a question in words', () => {
  it('tells the model all fields, and gives an example that it understands itself', () => {
    const text = instructions(new Date('2026-01-31T10:00:00Z'))
    for (const { names, path } of FIELDS) if (path) expect(text).toContain(`\n${names[0]}: `)
    expect(text).toContain('2026-01-31T10:00:00.000Z, a Saturday')
    const example = text.slice(text.lastIndexOf('\n'))
    expect(meantBy(example)).toEqual({ filter: expect.stringContaining('model~gpt-4o'), all: true })
  })

  it.each([
    ['{"filter": " status:error ", "all": false}', { filter: 'status:error', all: false }],
    ['Sure!\n```json\n{"filter":"tokens>5"}\n```', { filter: 'tokens>5', all: false }],
  ])('understands %s', (text, meant) => {
    expect(meantBy(text)).toEqual(meant)
    expect(compile(meant.filter)).toBeDefined()
  })

  it.each([
    ['I do not know', 'It is not JSON.'],
    ['{"filter": "status:', 'It is not JSON.'],
    ['{"query": "status:error"}', 'It has no "filter".'],
    ['{"filter": "", "all": true}', 'It has no "filter".'],
    ['{"filter": "status:broken", "all": true}', 'There is no status "broken"'],
    ['{"filter": "colour:red", "all": true}', 'There is no field "colour"'],
  ])('says what is wrong with %s', (text, message) => {
    expect(() => meantBy(text)).toThrow(message)
  })
})
