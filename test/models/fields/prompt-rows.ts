/** The fields that say what the model reads, and what it answers with: messages, template, tools, reasoning. */
import { type Answered, finish, type Row, refused, status, text, user } from './row.js'

const STORY = 'Once there was a small model that knew'
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a place',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
}
const NARROW = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { place: { enum: ['Oslo', 'Lima'] } },
      required: ['place'],
      additionalProperties: false,
    },
  },
}
const weather = { messages: user('What is the weather in Paris?'), tools: [WEATHER] }
const sum = { messages: user('What is two plus two?') }
/** Only what is read matters. */
const read = { return_token_ids: true, max_tokens: 1 }
const promptTokens = ({ body }: Answered) => body.prompt_token_ids?.length
const calls = ({ body }: Answered) =>
  body.choices?.[0]?.message?.tool_calls?.map((call) => call.function.name)
const places = ({ body }: Answered) =>
  body.choices?.[0]?.message?.tool_calls?.map((call) => JSON.parse(call.function.arguments).place)

export const promptRows: Row[] = [
  {
    field: 'messages',
    request: () => ({ messages: user('What is a loom?') }),
    sees: text,
    is: 'A loom is a frame on which cloth is woven from threads.',
  },
  { field: 'model', request: () => ({ model: 'artifact:///me/nothing/nobody' }), sees: status, is: 404 },
  {
    field: 'add_generation_prompt',
    request: () => ({ add_generation_prompt: false, ...read }),
    sees: ({ body }) => body.choices?.[0]?.message?.role,
    is: 'user',
  },
  {
    field: 'continue_final_message',
    request: () => ({
      messages: [...user('Tell me a story.'), { role: 'assistant', content: STORY }],
      continue_final_message: true,
      add_generation_prompt: false,
    }),
    sees: text,
    is: ' only a few words. It used them well.',
  },
  {
    field: 'echo',
    request: () => ({
      messages: [...user('Tell me a story.'), { role: 'assistant', content: STORY }],
      echo: true,
      continue_final_message: true,
      add_generation_prompt: false,
    }),
    sees: text,
    is: `${STORY} only a few words. It used them well.`,
  },
  {
    field: 'add_special_tokens',
    request: () => ({ add_special_tokens: true, ...read }),
    sees: ({ body }) => body.prompt_token_ids?.[0],
    is: (token: (text: string) => number) => token('<|endoftext|>'),
  },
  {
    field: 'documents',
    request: () => ({
      documents: [{ title: 'Hello', text: '!' }],
      chat_template: '{{ documents[0].title }}{{ documents[0].text }}',
      ...read,
    }),
    sees: ({ body }) => body.prompt_token_ids,
    is: (token: (text: string) => number) => [token('Hello'), token('!')],
  },
  {
    field: 'chat_template',
    request: () => ({ chat_template: '{{ messages[0].content }}', ...read }),
    sees: ({ body }) => body.prompt_token_ids,
    is: (token: (text: string) => number) => [token('Hello'), token('!')],
  },
  {
    field: 'chat_template_kwargs',
    request: () => ({
      chat_template: '{{ mood }}',
      chat_template_kwargs: { mood: 'Hello!' },
      ...read,
    }),
    sees: ({ body }) => body.prompt_token_ids,
    is: (token: (text: string) => number) => [token('Hello'), token('!')],
  },
  {
    field: 'tools',
    request: () => ({ ...weather, tool_choice: 'none', ...read }),
    sees: ({ body }) => (body.prompt_token_ids?.length ?? 0) > 60,
    is: true,
  },
  {
    field: 'tool_choice',
    request: () => ({ ...weather, tool_choice: 'auto' }),
    sees: (answer) => [finish(answer), calls(answer)],
    is: ['tool_calls', ['get_weather']],
  },
  {
    field: 'tool_choice',
    about: 'required',
    request: () => ({
      tools: [NARROW],
      tool_choice: 'required',
      max_tokens: 120,
      parallel_tool_calls: false,
    }),
    sees: places,
    is: [oneOf('Oslo', 'Lima')],
  },
  {
    field: 'tool_choice',
    about: 'one function',
    request: () => ({
      tools: [NARROW],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
      max_tokens: 120,
    }),
    sees: places,
    is: [oneOf('Oslo', 'Lima')],
  },
  {
    field: 'parallel_tool_calls',
    request: () => ({
      ...weather,
      tool_choice: 'auto',
      parallel_tool_calls: false,
      ignore_eos: true,
      max_tokens: 40,
    }),
    sees: (answer) => [finish(answer), calls(answer)?.length],
    is: ['tool_calls', 1],
  },
  {
    field: 'reasoning_effort',
    request: () => ({ ...sum, reasoning_effort: 'low' }),
    sees: (answer) => [answer.body.choices?.[0]?.message?.reasoning, text(answer)],
    is: ['Two and two more make four.', 'Two plus two is four.'],
  },
  {
    field: 'include_reasoning',
    request: () => ({ ...sum, reasoning_effort: 'low', include_reasoning: false }),
    sees: (answer) => [answer.body.choices?.[0]?.message?.reasoning, text(answer)],
    is: [undefined, 'Two plus two is four.'],
  },
  {
    field: 'truncate_prompt_tokens',
    request: () => ({ truncate_prompt_tokens: 4, ...read }),
    sees: promptTokens,
    is: 4,
  },
  {
    field: 'mm_processor_kwargs',
    about: 'no images here',
    request: () => ({ mm_processor_kwargs: { size: 1 } }),
    sees: refused,
    is: [400, 'mm_processor_kwargs', 'UNSUPPORTED_FIELD'],
  },
]

function oneOf(...values: string[]) {
  return { asymmetricMatch: (value: unknown) => values.includes(String(value)) }
}
