/**
 * The built-in classes by name, with their fields in weave 0.54.0: a value stored under one is checked and completed as
 * the SDK would. Pure.
 */
import { JsonNumber, type JsonTree } from '../../../platform/json/tree.js'
import { type Fields, maybe, model, optional, plain, required } from './model.js'
import {
  any,
  flag,
  float,
  integer,
  list,
  oneOf,
  record,
  type Shape,
  ShapeError,
  text,
  union,
} from './shape.js'
import { AgentDashboard, ComparisonView, Leaderboard, objectFields, SavedView } from './view-classes.js'

const object = (name: string, fields: Fields, from: readonly string[] = []): Shape =>
  model(name, { ...objectFields, ...fields }, { bases: [...from, 'BaseObject', 'BaseModel'] })
const dict = record(any)

const AlertSpec = object('AlertSpec', {
  op_scope: maybe(list(text)),
  spec: optional(
    plain('WeaveMetricThresholdSpec', {
      alert_condition: optional(text, 'THRESHOLD'),
      source_type: optional(oneOf('calls', 'spans'), 'calls'),
      comparison_operator: optional(oneOf('GREATER_THAN', 'LESS_THAN', 'EQUAL'), 'GREATER_THAN'),
      metric_path: optional(text, ''),
      op_str: optional(text, ''),
      threshold: optional(float, new JsonNumber('0.0')),
      window_size: maybe(integer),
      window_duration: maybe(integer),
      monitor_ref: maybe(text),
      scorer_ref: maybe(text),
      aggregation_function: optional(
        oneOf('mean', 'median', 'min', 'max', 'mode', 'percentage', 'count'),
        'mean',
      ),
      status_match_value: maybe(text),
    }),
    new Map(),
  ),
})

const AnnotationSpec = object('AnnotationSpec', {
  field_schema: optional(dict, new Map()),
  unique_among_creators: optional(flag, false),
  op_scope: maybe(list(text)),
})

/** Checks only the address's form. Whether it may be called is checked on each call, since DNS names may change. */
const providerUrl: Shape = (value, at) => {
  const address = text(value, at) as string
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    address.includes('?') ||
    address.includes('#') ||
    url.username !== ''
  )
    throw new ShapeError(at, 'should be an http or https address without query, fragment and credentials')
  return value
}

/** Headers that make the metadata services of clouds answer. */
const FORBIDDEN = /^(metadata-flavor|x-aws-ec2-metadata-token(-ttl-seconds)?)$/i
const providerHeaders: Shape = (value, at) => {
  const headers = record(text)(value, at) as Map<string, JsonTree>
  for (const name of headers.keys())
    if (FORBIDDEN.test(name)) throw new ShapeError(`${at}.${name}`, 'is a header that may not be set')
  return headers
}

const Provider = object('Provider', {
  base_url: required(providerUrl),
  api_key_name: required(text),
  extra_headers: optional(providerHeaders, new Map()),
  return_type: optional(oneOf('openai'), 'openai'),
})
const ProviderModel = object('ProviderModel', { provider: required(text), max_tokens: required(integer) })

const Message = plain('Message', {
  role: required(text),
  content: maybe(union('should be a string or a list of objects', text, list(dict))),
  name: maybe(text),
  function_call: maybe(dict),
  tool_call_id: maybe(text),
})
const userMessage = (content: string): JsonTree =>
  new Map<string, JsonTree>([
    ['role', 'user'],
    ['content', content],
  ])
/** Messages may also come as one, or as texts of the user. */
const messages: Shape = (value, at) => {
  const given = Array.isArray(value) ? value : [value]
  const asMessages = given.map((one) => (typeof one === 'string' ? userMessage(one) : one))
  return list(Message)(asMessages, at)
}
const LLMStructuredCompletionModel = model(
  'LLMStructuredCompletionModel',
  {
    ...objectFields,
    ref: maybe(any),
    llm_model_id: required(text),
    default_params: optional(
      plain('LLMStructuredCompletionModelDefaultParams', {
        messages_template: maybe(messages),
        prompt: maybe(text),
        temperature: maybe(float),
        top_p: maybe(float),
        max_tokens: maybe(integer),
        presence_penalty: maybe(float),
        frequency_penalty: maybe(float),
        stop: maybe(list(text)),
        n_times: maybe(integer),
        functions: maybe(list(dict)),
        response_format: maybe(oneOf('json_object', 'json_schema', 'text')),
      }),
      new Map(),
    ),
  },
  { bases: ['Model', 'Object', 'BaseModel'], closed: true },
)

const TestOnlyNestedBaseObject = object('TestOnlyNestedBaseObject', { b: required(integer) })
const TestOnlyInheritedBaseObject = object(
  'TestOnlyInheritedBaseObject',
  { b: required(integer), c: required(integer), additional_field: optional(text, 'default_value') },
  ['TestOnlyNestedBaseObject'],
)
const TestOnlyExample = object('TestOnlyExample', {
  primitive: required(integer),
  nested_base_model: required(
    plain('TestOnlyNestedBaseModel', { a: required(integer), aliased_property_alias: required(integer) }),
  ),
  nested_base_object: required(text),
})

const BUILTIN = {
  AgentDashboard,
  AlertSpec,
  AnnotationSpec,
  ComparisonView,
  LLMStructuredCompletionModel,
  Leaderboard,
  Provider,
  ProviderModel,
  SavedView,
  TestOnlyExample,
  TestOnlyInheritedBaseObject,
  TestOnlyNestedBaseObject,
}

/** The shape of the built-in class `name`, or undefined if there is none. */
export function builtinShape(name: string): Shape | undefined {
  return Object.hasOwn(BUILTIN, name) ? BUILTIN[name as keyof typeof BUILTIN] : undefined
}

/** The names of the built-in classes. */
export const builtinNames: readonly string[] = Object.keys(BUILTIN)
