/** With what a model was asked beside the messages: its parameters, and the tools that it might call. Pure. */
import type { Call } from '../../api/client'
import { NO_REFS, type Refs, withValues } from '../../api/refs'
import { isFields, parsed } from '../../ui/parsed'
import { askedOf } from './messages'

export interface Tool {
  name: string
  description: string
  /** JSON Schema of its arguments, mostly; undefined: not said */
  schema: unknown
}

export interface Setup {
  parameters: [name: string, value: unknown][]
  tools: Tool[]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Fields of requests to models, by any of their interfaces, that are no content. */
const PARAMETERS = new Set([
  ...['model', 'temperature', 'top_p', 'top_k', 'min_p', 'n', 'seed', 'stop', 'stop_sequences', 'stream'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'frequency_penalty', 'presence_penalty'],
  ...['repetition_penalty', 'logprobs', 'top_logprobs', 'logit_bias', 'response_format', 'tool_choice'],
  ...['parallel_tool_calls', 'reasoning', 'reasoning_effort', 'thinking', 'verbosity', 'service_tier'],
])
/** Where an interface keeps them together. */
const GROUPS = [
  'generationConfig',
  'generation_config',
  'config',
  'model_parameters',
  'invocation_parameters',
]

/** @param refs what refs within the request point at */
export function setupOf(call: Pick<Call, 'inputs' | 'attributes'>, refs: Refs = NO_REFS): Setup {
  const asked = withValues(askedOf(call.inputs), refs)
  const attributes = isFields(call.attributes) ? call.attributes : {}
  const found = new Map<string, unknown>()
  for (const source of [attributes, asked])
    for (const group of GROUPS) {
      const value = parsed(source[group])
      if (isFields(value)) for (const [name, one] of Object.entries(value)) found.set(name, one)
    }
  for (const [name, value] of Object.entries(asked)) if (PARAMETERS.has(name)) found.set(name, value)
  const given = [found.get('tools'), asked.tools, asked.functions, attributes.tools].map(parsed)
  found.delete('tools')
  return {
    parameters: [...found].filter(([, value]) => value !== null && value !== undefined),
    tools: listOf(given.find(Array.isArray)).flatMap(toolsIn),
  }
}

/** OpenAI's and Anthropic's tools are one each; Gemini's are declared together. */
function toolsIn(given: unknown): Tool[] {
  const tool = parsed(given)
  if (!isFields(tool)) return []
  const declared = tool.functionDeclarations ?? tool.function_declarations
  if (Array.isArray(declared)) return declared.flatMap(toolsIn)
  const of = isFields(tool.function) ? tool.function : tool
  const name = textOf(of.name) || textOf(of.type)
  if (name === '') return []
  return [
    { name, description: textOf(of.description), schema: of.parameters ?? of.input_schema ?? of.inputSchema },
  ]
}
