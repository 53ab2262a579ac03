/** The fields that hold an answer to a structure, each part of `structured_outputs` by itself. */
import { type Answered, type Row, refused, text } from './row.js'

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' }, n: { type: 'integer', minimum: 1, maximum: 9 } },
  required: ['ok', 'n'],
  additionalProperties: false,
}
/** A schema without a word on further properties; the model is made to begin one. */
const OPEN = { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] }
const TAG = {
  type: 'structural_tag',
  structures: [{ begin: 'Hello', schema: { const: 7 }, end: '.' }],
  triggers: ['Hello'],
}
const UNKNOWN = { regex: 'a', _backend: 'outlines' }
const NO_BACKEND = [400, 'structured_outputs', 'UNSUPPORTED_FIELD']

/** The kinds of an object's values; undefined for what is no object. */
const kinds = (answer: Answered) => {
  try {
    const value: unknown = JSON.parse(text(answer) ?? '')
    return Object.entries(value as object).map(([key, one]) => [key, typeof one])
  } catch {
    return undefined
  }
}
const OK = [
  ['ok', 'boolean'],
  ['n', 'number'],
]

export const structureRows: Row[] = [
  {
    field: 'response_format',
    request: () => ({
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA, strict: true } },
      max_tokens: 300,
    }),
    sees: kinds,
    is: OK,
  },
  {
    field: 'structured_outputs',
    request: () => ({ structured_outputs: { choice: ['warp'] } }),
    sees: text,
    is: 'warp',
  },
  {
    field: 'structured_outputs.json',
    request: () => ({ structured_outputs: { json: JSON.stringify(SCHEMA) }, max_tokens: 300 }),
    sees: kinds,
    is: OK,
  },
  {
    field: 'structured_outputs.regex',
    request: () => ({ structured_outputs: { regex: '[0-9]{3}-[a-c]{2,4}!' }, max_tokens: 40 }),
    sees: (answer) => /^[0-9]{3}-[a-c]{2,4}!$/.test(text(answer) ?? ''),
    is: true,
  },
  {
    field: 'structured_outputs.choice',
    request: () => ({ structured_outputs: { choice: ['warp', 'weft'] } }),
    sees: (answer) => ['warp', 'weft'].includes(text(answer) ?? ''),
    is: true,
  },
  {
    field: 'structured_outputs.grammar',
    request: () => ({ structured_outputs: { grammar: 'root ::= "up " ("left" | "right")' } }),
    sees: (answer) => ['up left', 'up right'].includes(text(answer) ?? ''),
    is: true,
  },
  {
    field: 'structured_outputs.json_object',
    request: (token) => ({
      structured_outputs: { json_object: true },
      allowed_token_ids: [token('{'), token('}'), token('<|im_end|>')],
      max_tokens: 3,
    }),
    sees: kinds,
    is: [],
  },
  {
    field: 'structured_outputs.structural_tag',
    request: () => ({ structured_outputs: { structural_tag: JSON.stringify(TAG) }, max_tokens: 6 }),
    sees: (answer) => text(answer)?.startsWith('Hello7.'),
    is: true,
  },
  {
    field: 'structured_outputs.disable_any_whitespace',
    request: (token) => ({
      structured_outputs: { json: SCHEMA, disable_any_whitespace: true },
      logit_bias: { [token(' ')]: 100 },
      max_tokens: 60,
    }),
    sees: (answer) => [kinds(answer), text(answer)?.includes(' ')],
    is: [OK, false],
  },
  {
    field: 'structured_outputs.disable_additional_properties',
    request: (token) => ({
      structured_outputs: { json: OPEN, disable_additional_properties: true },
      logit_bias: { [token(',')]: 100 },
      max_tokens: 200,
    }),
    sees: kinds,
    is: [['a', 'boolean']],
  },
  {
    field: 'structured_outputs.whitespace_pattern',
    request: (token) => ({
      structured_outputs: { json: SCHEMA, whitespace_pattern: '~' },
      logit_bias: { [token('~')]: 100 },
      max_tokens: 20,
    }),
    sees: (answer) => text(answer)?.includes('~'),
    is: true,
  },
  {
    field: 'structured_outputs._backend',
    request: () => ({ structured_outputs: UNKNOWN }),
    sees: refused,
    is: NO_BACKEND,
  },
  {
    field: 'structured_outputs._backend_was_auto',
    about: 'any library will do',
    request: () => ({ structured_outputs: { ...UNKNOWN, _backend_was_auto: true } }),
    sees: text,
    is: 'a',
  },
  {
    field: 'structured_outputs.disable_fallback',
    about: 'no other library',
    request: () => ({
      structured_outputs: { ...UNKNOWN, _backend_was_auto: true, disable_fallback: true },
    }),
    sees: refused,
    is: NO_BACKEND,
  },
]
