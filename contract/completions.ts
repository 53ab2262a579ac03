import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, flag, longText, maybe, openComponent, projectId, userIdIn } from './shared.js'

const list = z.array(z.unknown()).max(10_000)
const json = z.record(z.string(), z.unknown())

/** Fields that are not passed to providers: the provider's object holds these settings. */
const notHere = {
  extra_headers: maybe(json),
  api_version: maybe(longText),
  vertex_credentials: maybe(longText),
}
export const NOT_HERE = Object.keys(notHere)

const Inputs = openComponent('CompletionsCreateRequestInputs', {
  model: z
    .string()
    .min(1)
    .max(512)
    .describe(
      'custom::<provider>::<model> or <provider>/<model> of a Provider object, the id of a ProviderModel object, or a model served here',
    ),
  messages: list.default([]),
  timeout: maybe(z.union([z.number().gt(0), z.string().regex(/^\d+(\.\d+)?$/)])).describe(
    'seconds, up to the limit of this service',
  ),
  temperature: maybe(z.number()),
  top_p: maybe(z.number()),
  n: maybe(z.int()),
  stop: maybe(z.union([z.string(), list])),
  max_completion_tokens: maybe(z.int()),
  max_tokens: maybe(z.int()),
  modalities: maybe(list),
  presence_penalty: maybe(z.number()),
  frequency_penalty: maybe(z.number()),
  stream: maybe(z.boolean()).describe('ignored; the route decides'),
  logit_bias: maybe(json),
  user: maybe(longText),
  response_format: maybe(json),
  // A 64-bit number, passed on with its digits.
  seed: maybe(z.number()),
  tools: maybe(list),
  tool_choice: maybe(z.union([z.string(), json])),
  logprobs: maybe(z.boolean()),
  top_logprobs: maybe(z.int()),
  parallel_tool_calls: maybe(z.boolean()),
  reasoning_effort: maybe(longText),
  functions: maybe(list),
  function_call: maybe(z.union([z.string(), json])),
  prompt: maybe(longText).describe(
    'ref of a StringPrompt or MessagesPrompt object, whose messages come before `messages`',
  ),
  template_vars: maybe(json).describe('replace {name} in the messages'),
  ...notHere,
})

const Route = component('DedicatedInferenceRoute', {
  connection_type: z.literal('dedicated'),
  connection: z.string(),
  base_url: z.string(),
})

const body = component('CompletionsCreateReq', {
  project_id: projectId,
  inputs: Inputs,
  inference_route: maybe(Route).describe('not supported: use Provider objects'),
  platform_user_id: userIdIn,
  track_llm_call: flag(true),
  trace_id: maybe(z.string().min(1).max(256)),
  parent_id: maybe(z.string().min(1).max(256)),
  conversation_id: maybe(z.string().max(1024)),
  conversation_name: maybe(z.string().max(1024)),
  source: maybe(z.string().max(1024)),
})
export type CompletionAsked = z.output<typeof body>

const common = {
  method: 'POST',
  tag: 'Completions',
  access: 'write',
  project: 'handler',
  // Numbers are passed on with their digits.
  raw: true,
  maxBytes: 16 * 2 ** 20,
  body,
} as const

export const completionsCreate = route({
  ...common,
  id: 'completions_create',
  path: '/completions/create',
  summary: "Complete a chat with a provider's model or one served here, and log it as a call",
  answer: component('CompletionsCreateRes', {
    response: json.describe("the model's answer, or {error: {code, message, status}} if the provider failed"),
    weave_call_id: z.string().nullable().describe('null: not logged'),
    span_id: z.string().nullable().describe('the same'),
    trace_id: z.string().nullable(),
    conversation_id: z.string().nullable(),
  }),
})

export const completionsCreateStream = route({
  ...common,
  id: 'completions_create_stream',
  path: '/completions/create_stream',
  summary: 'Stream a chat completion: first {_meta}, if it is logged, then the chunks of the answer',
  produces: 'application/jsonl',
  answer: json.describe(
    '{_meta: {weave_call_id}}, then the chunks as the provider sends them; {error} as the last line if it failed',
  ),
})
export const completionBody = body
