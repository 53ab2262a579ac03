/** What the playground asks of a model: its draft as text fields, made from a call or a prompt, and made into a request. Pure. */

import type { Call, Schemas } from '../../api/client'
import { jsonText, parseJson } from '../../api/json'
import { jsonProblem } from '../../ui/json-problem'
import { type Fields, isFields } from '../../ui/parsed'
import { askedOf, messagesOf, type Part } from '../trace/messages'
import { formatProblem } from './format'
import { toolsProblem } from './tools'

export interface DraftMessage {
  role: string
  text: string
  /** the text is the whole message as JSON: parts, tool calls, results */
  isJson?: boolean
}

export interface Draft {
  models: string[]
  messages: DraftMessage[]
  /** JSON; empty: none */
  tools: string
  /** JSON: a `response_format` */
  format: string
  /** JSON: other fields of the request */
  settings: string
  variables: Record<string, string>
  /** the prompt object that the messages come from, whose next version they become */
  prompt?: string | undefined
}

export type Inputs = Schemas['CompletionsCreateReq']['inputs']

export const EMPTY: Draft = {
  models: [''],
  messages: [{ role: 'user', text: '' }],
  tools: '',
  format: '',
  settings: '',
  variables: {},
}

/** Settings that calls of chat interfaces carry and a completion takes. */
const SETTINGS = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'n',
  'presence_penalty',
  'frequency_penalty',
  'reasoning_effort',
  'tool_choice',
  'parallel_tool_calls',
] as const

const pretty = (value: unknown): string => jsonText(value, 2)

/** A message as fields to edit. */
export function draftMessage(raw: unknown): DraftMessage {
  if (isFields(raw) && typeof raw.role === 'string' && typeof raw.content === 'string') {
    const isPlain = Object.entries(raw).every(
      ([key, value]) => ['role', 'content'].includes(key) || value === null,
    )
    if (isPlain) return { role: raw.role, text: raw.content }
  }
  const role = isFields(raw) && typeof raw.role === 'string' ? raw.role : 'user'
  return { role, text: pretty(raw), isJson: true }
}

/** What a traced call asked, to try it again. Calls of other interfaces than OpenAI's come as texts. */
export function draftOf(call: Pick<Call, 'inputs' | 'output'>): Draft {
  const inputs = askedOf(call.inputs)
  const isOpenAi =
    Array.isArray(inputs.messages) && inputs.system === undefined && inputs.messages.every(isOpenAiMessage)
  const messages = isOpenAi
    ? (inputs.messages as unknown[]).map(draftMessage)
    : messagesOf(call)
        .filter(({ isOutput }) => !isOutput)
        .map(({ role, parts }) => ({ role, text: parts.map(textOf).join('\n') }))
  const settings = Object.fromEntries(
    SETTINGS.flatMap((name) =>
      inputs[name] === undefined || inputs[name] === null ? [] : [[name, inputs[name]]],
    ),
  )
  const given = isFields(inputs.template_vars) ? inputs.template_vars : {}
  return {
    models: [typeof inputs.model === 'string' ? inputs.model : ''],
    messages: messages.length > 0 ? messages : EMPTY.messages,
    tools: Array.isArray(inputs.tools) && inputs.tools.length > 0 ? pretty(inputs.tools) : '',
    format: isFields(inputs.response_format) ? pretty(inputs.response_format) : '',
    settings: Object.keys(settings).length > 0 ? pretty(settings) : '',
    variables: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, variableText(value)])),
  }
}

function isOpenAiMessage(raw: unknown): boolean {
  if (!isFields(raw) || typeof raw.role !== 'string') return false
  const { content } = raw
  if (content === null || content === undefined || typeof content === 'string') return true
  const kinds = ['text', 'image_url', 'input_audio', 'file', 'refusal']
  return (
    Array.isArray(content) && content.every((part) => isFields(part) && kinds.includes(String(part.type)))
  )
}

function textOf(part: Part): string {
  if (part.kind === 'text') return part.text
  if (part.kind === 'reasoning') return ''
  if (part.kind === 'image') return part.url.slice(0, 200)
  if (part.kind === 'json') return pretty(part.value)
  if (part.kind === 'tool-result') return pretty({ id: part.id, result: part.result })
  return pretty({ tool: part.name, input: part.input, result: part.result })
}

/** The messages of a prompt object; undefined: it is none. */
export function promptMessages(value: unknown): DraftMessage[] | undefined {
  if (!isFields(value)) return undefined
  if (Array.isArray(value.messages)) return value.messages.map(draftMessage)
  return typeof value.content === 'string' ? [{ role: 'system', text: value.content }] : undefined
}

/** `{name}`, and `{{ name }}` as other products write it. */
const VARIABLE = /\{\{\s*([A-Za-z_]\w*)\s*\}\}|\{([A-Za-z_]\w*)\}/g

/** The names in `{braces}` or `{{double ones}}` of the messages, in their order. */
export function variableNames(messages: readonly DraftMessage[]): string[] {
  const names = messages.flatMap(({ text }) =>
    [...text.matchAll(VARIABLE)].map(([, double, single]) => (double ?? single)!),
  )
  return [...new Set(names)]
}

/** A text in parts: what stands there, and names of variables. */
export function partsOf(text: string): (string | { variable: string })[] {
  const parts: (string | { variable: string })[] = []
  let end = 0
  for (const found of text.matchAll(VARIABLE)) {
    parts.push(text.slice(end, found.index), { variable: (found[1] ?? found[2])! })
    end = found.index + found[0].length
  }
  return [...parts, text.slice(end)]
}

/** With single braces around the variables that have a value: those are what the service fills in. */
const singleBraces = (text: string, values: Fields): string =>
  text.replaceAll(VARIABLE, (found, double: string | undefined) =>
    double !== undefined && Object.hasOwn(values, double) ? `{${double}}` : found,
  )

/** What keeps the draft from being sent. */
export function problemOf({ messages, tools, format, settings }: Draft): string | undefined {
  const wrong = (name: string, problem: string | undefined) => problem && `${name}: ${problem}`
  return (
    messages
      .map(({ text, isJson }, i) => isJson && wrong(`Message ${i + 1}`, jsonProblem(text, 'object')))
      .find(Boolean) ||
    wrong('Tools', toolsProblem(tools)) ||
    wrong('Answer format', formatProblem(format)) ||
    wrong('Settings', jsonProblem(settings, 'object')) ||
    (messages.length === 0 ? 'There is no message.' : undefined)
  )
}

/** The messages as a completion takes them. Of a draft without a problem. */
export function messagesToSend(messages: readonly DraftMessage[]): Fields[] {
  return messages.map(({ role, text, isJson }) =>
    isJson ? { ...(parseJson(text) as Fields), role } : { role, content: text },
  )
}

/** @param row values for the variables, which stand for those of the draft */
export function inputsOf(draft: Draft, model: string, row?: Fields): Inputs {
  const { messages, tools, format, settings, variables } = draft
  const names = variableNames(messages)
  const template_vars =
    row ?? Object.fromEntries(names.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])))
  const parsed = <Value extends object>(text: string) =>
    text.trim() === '' ? undefined : (parseJson(text) as Value)
  return {
    ...parsed<Fields>(settings),
    model,
    messages: messagesToSend(
      messages.map((one) => ({ ...one, text: singleBraces(one.text, template_vars) })),
    ),
    ...(parsed(tools) && { tools: parsed<unknown[]>(tools) }),
    ...(parsed(format) && { response_format: parsed<Fields>(format) }),
    ...(Object.keys(template_vars).length > 0 && { template_vars }),
  }
}

export const variableText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

/** The object that the messages are saved as. */
export const promptValue = (name: string, messages: readonly DraftMessage[]): Fields => ({
  _type: 'MessagesPrompt',
  _class_name: 'MessagesPrompt',
  _bases: ['Prompt', 'Object', 'BaseModel'],
  name,
  description: null,
  messages: messagesToSend(messages),
})
