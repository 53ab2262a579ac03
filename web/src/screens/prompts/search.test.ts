import { expect, it } from 'vitest'
import type { PromptUse } from '../../api/prompts'
import { readPromptsSearch, sorted } from './search'

const row = (name: string, use?: Partial<PromptUse>) => ({ name, ...(use && { use: use as PromptUse }) })
const rows = [
  row('new'),
  row('dear', { cost: 9, calls: 1, errors: 0 }),
  row('busy', { cost: null, calls: 5, errors: 2 }),
]
const names = (sort: string) => sorted(rows, sort).map(({ name }) => name)

it.each([
  ['cost', ['dear', 'new', 'busy']],
  ['calls', ['busy', 'dear', 'new']],
  ['errors', ['busy', 'dear', 'new']],
  ['saved', ['new', 'dear', 'busy']],
])('by %s', (sort, expected) => expect(names(sort)).toEqual(expected))

it('an address holds what is known of a list, and nothing else', () => {
  expect(readPromptsSearch({ q: 'a', sort: 'calls', days: '7' })).toEqual({ q: 'a', sort: 'calls', days: 7 })
  expect(readPromptsSearch({ q: '', sort: 'x', days: 365 })).toEqual({})
})
