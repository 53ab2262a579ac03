import { expect, it } from 'vitest'
import { columnsFor, leftOut, modelValue, valuesOn } from './dataset-fields'
import { EMPTY } from './draft'

const draft = {
  ...EMPTY,
  messages: [
    { role: 'system', text: 'Answer as {"city": "…"} in {{tone}} words, {name}.' },
    { role: 'user', text: 'Where is {q}?' },
  ],
  variables: { tone: 'few {short}' },
  settings: '{"temperature": 0, "seed": 1, "max_completion_tokens": 9, "stop": "END"}',
  format: '{"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}',
  tools: '[]',
}
const columns = columnsFor(['tone', 'name', 'q'], ['q', 'question'], { q: 'question' })

it('variables are filled by the column of their name, by one that was chosen, or by what was typed', () => {
  expect(columns).toEqual({ tone: '', name: '', q: 'question' })
  expect(columnsFor(['q'], ['q'], {})).toEqual({ q: 'q' })
  expect(valuesOn({ question: 'Rome', q: 'Oslo' }, columns, draft.variables)).toEqual({
    tone: 'few {short}',
    q: 'Rome',
  })
})

it('a model of an evaluation names columns, and doubles braces that are none', () => {
  const value = modelValue('m', 'mine/big', draft, columns)
  expect(value).toMatchObject({ name: 'm', llm_model_id: 'mine/big' })
  expect(value.default_params).toEqual({
    messages_template: [
      { role: 'system', content: 'Answer as {{"city": "…"}} in few {{short}} words, {{name}}.' },
      { role: 'user', content: 'Where is {question}?' },
    ],
    temperature: 0,
    max_tokens: 9,
    stop: ['END'],
    response_format: 'json_schema',
    json_schema: { type: 'object' },
  })
  expect(leftOut(draft)).toEqual(['seed', 'tools'])
})
