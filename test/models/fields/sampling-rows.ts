/** The fields that say which token comes next, and when it is enough. */
import { finish, ids, type Row, stopped, text, user } from './row.js'

export const HELLO = 'Hello! How can I help you today?'
/** So hot that every token is as good as the other. */
const hot = { temperature: 30, seed: 3, max_tokens: 20 }
const long = { ignore_eos: true, return_token_ids: true }

export const samplingRows: Row[] = [
  {
    field: 'temperature',
    request: () => ({ messages: user('loom sky two'), temperature: 0, n: 12, seed: 1 }),
    sees: ({ body }) => new Set(body.choices?.map((choice) => choice.message?.content)).size,
    is: 1,
  },
  { field: 'top_p', request: () => ({ ...hot, top_p: 0.00001 }), sees: text, is: HELLO },
  { field: 'top_k', request: () => ({ ...hot, top_k: 1 }), sees: text, is: HELLO },
  { field: 'min_p', request: () => ({ ...hot, temperature: 3, min_p: 1 }), sees: text, is: HELLO },
  {
    field: 'seed',
    request: () => ({ ...long, ...hot }),
    sees: async (answer) => JSON.stringify(ids(answer)) === JSON.stringify(ids(await answer.again())),
    is: true,
  },
  {
    field: 'n',
    request: () => ({ n: 3 }),
    sees: ({ body }) => body.choices?.map((choice) => [choice.index, choice.message?.content]),
    is: [0, 1, 2].map((index) => [index, HELLO]),
  },
  {
    field: 'frequency_penalty',
    request: (token) => ({
      ...long,
      frequency_penalty: 2,
      logit_bias: { [token('!')]: 35 },
      max_tokens: 40,
    }),
    sees: (answer) => new Set(ids(answer)).size > 1,
    is: true,
  },
  {
    field: 'presence_penalty',
    request: (token) => ({
      ...long,
      presence_penalty: 2,
      allowed_token_ids: [token('!'), token('?')],
      logit_bias: { [token('!')]: 60, [token('?')]: 60 },
      max_tokens: 6,
    }),
    sees: (answer) => new Set(ids(answer)).size,
    is: 2,
  },
  {
    field: 'repetition_penalty',
    request: () => ({ repetition_penalty: 5, max_tokens: 8 }),
    sees: (answer) => text(answer)?.includes('Hello'),
    is: false,
  },
  {
    field: 'logit_bias',
    request: (token) => ({ logit_bias: { [token('Hello')]: -100, [token(' How')]: 100 }, max_tokens: 3 }),
    sees: text,
    is: ' How How How',
  },
  {
    field: 'allowed_token_ids',
    request: (token) => ({ allowed_token_ids: [token('!')], max_tokens: 5 }),
    sees: text,
    is: '!!!!!',
  },
  {
    field: 'bad_words',
    request: () => ({ bad_words: [' How can'], max_tokens: 8 }),
    sees: (answer) => [text(answer)?.startsWith('Hello! How'), text(answer)?.includes(' How can')],
    is: [true, false],
  },
  {
    field: 'use_beam_search',
    request: () => ({ use_beam_search: true, n: 3, return_token_ids: true }),
    sees: ({ body }) => new Set(body.choices?.map((choice) => String(choice.token_ids))).size,
    is: 3,
  },
  {
    field: 'length_penalty',
    request: () => ({ use_beam_search: true, n: 4, length_penalty: -20, return_token_ids: true }),
    sees: (answer) => (ids(answer)?.length ?? 99) < 9,
    is: true,
  },
  {
    field: 'max_completion_tokens',
    request: () => ({ max_completion_tokens: 2, max_tokens: 5 }),
    sees: (answer) => [text(answer), finish(answer)],
    is: ['Hello!', 'length'],
  },
  {
    field: 'max_tokens',
    request: () => ({ max_tokens: 2 }),
    sees: (answer) => [text(answer), finish(answer)],
    is: ['Hello!', 'length'],
  },
  {
    field: 'min_tokens',
    request: () => ({ min_tokens: 20, max_tokens: 24, return_token_ids: true }),
    sees: (answer) => (ids(answer)?.length ?? 0) >= 20,
    is: true,
  },
  {
    field: 'ignore_eos',
    request: () => ({ ...long, ignore_eos: true, max_tokens: 20 }),
    sees: (answer) => [ids(answer)?.length, finish(answer)],
    is: [20, 'length'],
  },
  {
    field: 'stop',
    request: () => ({ stop: ['n I he', 'never'] }),
    sees: (answer) => [text(answer), finish(answer), stopped(answer)],
    is: ['Hello! How ca', 'stop', 'n I he'],
  },
  {
    field: 'stop',
    about: 'one text',
    request: () => ({ stop: ' help' }),
    sees: text,
    is: 'Hello! How can I',
  },
  {
    field: 'include_stop_str_in_output',
    request: () => ({ stop: ' help', include_stop_str_in_output: true }),
    sees: text,
    is: 'Hello! How can I help',
  },
  {
    field: 'stop_token_ids',
    request: (token) => ({ stop_token_ids: [token(' How')] }),
    sees: (answer) => [text(answer), finish(answer), stopped(answer)],
    is: (token: (text: string) => number) => ['Hello!', 'stop', token(' How')],
  },
  {
    field: 'repetition_detection.max_pattern_size',
    request: (token) => ({
      repetition_detection: { max_pattern_size: 2, min_count: 4 },
      allowed_token_ids: [token('!')],
      max_tokens: 30,
    }),
    sees: (answer) => [finish(answer), text(answer)],
    is: ['repetition', '!!!!'],
  },
  {
    field: 'repetition_detection.min_pattern_size',
    request: (token) => ({
      repetition_detection: { max_pattern_size: 3, min_pattern_size: 3, min_count: 4 },
      allowed_token_ids: [token('!')],
      max_tokens: 30,
    }),
    sees: (answer) => [finish(answer), text(answer)?.length],
    is: ['repetition', 12],
  },
  {
    field: 'repetition_detection.min_count',
    request: (token) => ({
      repetition_detection: { max_pattern_size: 1, min_count: 6 },
      allowed_token_ids: [token('!')],
      max_tokens: 30,
    }),
    sees: (answer) => [finish(answer), text(answer)?.length],
    is: ['repetition', 6],
  },
  {
    field: 'repetition_detection',
    request: (token) => ({
      repetition_detection: { max_pattern_size: 2, min_pattern_size: 1, min_count: 4 },
      allowed_token_ids: [token('!')],
      max_tokens: 30,
    }),
    sees: finish,
    is: 'repetition',
  },
]
