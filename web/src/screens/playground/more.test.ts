import { expect, it } from 'vitest'
import { formatKind, formatProblem, formatText } from './format'
import { limitName, settingsOf, stopsIn, stopText, withSetting } from './parameters'
import { toolsProblem, withTool } from './tools'

it('settings have what was set and nothing else', () => {
  const one = withSetting('', 'temperature', 0)
  expect(settingsOf(one)).toEqual({ temperature: 0 })
  expect(settingsOf(withSetting(one, 'seed', 7))).toEqual({ temperature: 0, seed: 7 })
  expect(withSetting(one, 'temperature', undefined)).toBe('')
  expect(settingsOf('[')).toBeUndefined()
  expect(limitName({ max_completion_tokens: 5 })).toBe('max_completion_tokens')
  expect(limitName({})).toBe('max_tokens')
})

it('stop sequences are lines, and may hold a line break', () => {
  expect(stopsIn('END\n\\n\\n\n')).toEqual(['END', '\n\n'])
  expect(stopsIn('\n')).toBeUndefined()
  expect(stopText(['END', '\n\n'])).toBe('END\n\\n\\n')
  expect(stopText('END')).toBe('END')
  expect(stopText(undefined)).toBe('')
})

it('a format is known by its type, and those that are chosen have no problem', () => {
  for (const kind of ['text', 'json_object', 'json_schema'] as const) {
    expect(formatKind(formatText(kind))).toBe(kind)
    expect(formatProblem(formatText(kind))).toBeUndefined()
  }
  expect(formatKind('{"type": "grammar"}')).toBe('other')
  expect(formatProblem('{"type": "json_schema"}')).toContain('name')
  expect(formatProblem('{"type": "json_schema", "json_schema": {"name": "a"}}')).toContain('schema')
})

const tool = (more: object) => JSON.stringify([{ type: 'function', function: { name: 'f', ...more } }])

it.each([
  ['', undefined],
  [tool({}), undefined],
  [tool({ parameters: { type: 'object', properties: { a: {} }, required: ['a'] } }), undefined],
  ['[{"type": "web_search"}]', undefined],
  ['{}', 'list'],
  ['[1]', 'Tool 1 needs a type'],
  ['[{"type": "function"}]', 'needs a function'],
  [tool({ name: 'two words' }), 'letters'],
  [tool({ parameters: { type: 'string' } }), 'JSON schema'],
  [tool({ parameters: { type: 'object', required: ['a'] } }), 'a is required'],
  [`[${tool({}).slice(1, -1)}, ${tool({}).slice(1, -1)}]`, 'two tools'],
])('tools %s have the problem %s', (text, problem) => {
  if (problem === undefined) expect(toolsProblem(text)).toBeUndefined()
  else expect(toolsProblem(text)).toContain(problem)
})

it('a tool that was added has a name of its own', () => {
  const two = withTool(withTool(''))
  expect(toolsProblem(two)).toBeUndefined()
  expect(JSON.parse(two)).toHaveLength(2)
  const [first, second] = JSON.parse(two)
  expect(toolsProblem(withTool(JSON.stringify([second, first].slice(0, 1))))).toBeUndefined()
})
