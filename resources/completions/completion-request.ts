/** From the body of a completion to what a model is asked. Numbers keep their digits. Pure. */
import { type CompletionAsked, completionBody, NOT_HERE } from '../../contract/completions.js'
import { errors } from '../../platform/errors/catalog.js'
import { validate } from '../../platform/http/json-body.js'
import { bodyTree } from '../../platform/http/lossless.js'
import { objectText } from '../../platform/json/members.js'
import {
  JsonNumber,
  type JsonTree,
  mapStrings,
  parseTree,
  storedTree,
  treeText,
  treeValue,
} from '../../platform/json/tree.js'

/** Of the fields for the model only what we look at are values: a thread hands the others on as texts. */
export interface CompletionRequest extends Omit<CompletionAsked, 'inputs'> {
  inputs: Pick<CompletionAsked['inputs'], 'model' | 'timeout' | 'prompt'>
  /** JSON texts of the inputs, without those that are null */
  given: Map<string, string>
}

/** What the messages are made of: JSON texts. */
export interface MessageParts {
  messages: string
  variables: string | undefined
  /** comes first */
  prompt: { ref: string; text: string | undefined } | undefined
}

/** Fields that are ours, or that the route decides. */
const OURS = new Set(['model', 'stream', 'timeout', 'prompt', 'template_vars', ...NOT_HERE])
const VARIABLE = /\{(\w+)\}/g
/** JSON values of a body. */
const MOST_VALUES = 2 ** 15
/** Letters that variables may put into messages: one may be long, and stand in many places. */
const MOST_FILLED = 16 << 20

/** @throws 400 and 422 for what can't be asked */
export function readCompletionRequest(bytes: Uint8Array): CompletionRequest {
  const tree = bodyTree(bytes, MOST_VALUES)
  const { inputs, ...body } = validate(completionBody, treeValue(tree), 'body')
  const given = tree.get('inputs') as Map<string, JsonTree>
  const strange = NOT_HERE.find((name) => !isEmpty(given.get(name)))
  if (strange !== undefined)
    throw errors.badRequest(`${strange} can't be set in a request; set it in the provider object.`)
  if (body.inference_route)
    throw errors.badRequest('inference_route is not supported; name a provider in inputs.model instead.')
  const { model, timeout, prompt } = inputs
  const texts = [...given].flatMap(([name, value]) =>
    value === null ? [] : [[name, treeText(value)] as const],
  )
  return { ...body, inputs: { model, timeout, prompt }, given: new Map(texts) }
}

/** Most ms that the caller wants to wait; undefined: it doesn't say. */
export function timeoutOf({ inputs }: CompletionRequest): number | undefined {
  return inputs.timeout === null || inputs.timeout === undefined ? undefined : Number(inputs.timeout) * 1000
}

/** The JSON texts of what the model is asked, without its name. */
export function fieldsOf({ given }: CompletionRequest, messages: string): Map<string, string> {
  return new Map([...given].filter(([name]) => !OURS.has(name))).set('messages', messages)
}

/** The JSON that is sent. @param more fields that the route decides */
export function requestText(fields: ReadonlyMap<string, string>, more: Record<string, unknown>): string {
  const texts = Object.entries(more).map(([name, value]) => [name, JSON.stringify(value)] as const)
  return objectText(new Map([...fields, ...texts]))
}

/**
 * JSON text of all messages, with variables in their places.
 * @throws 400 where variables make too much of them, or the prompt has none
 */
export function messagesText({ messages, variables, prompt }: MessageParts): string {
  const first = prompt ? promptMessages(prompt) : []
  const all = [...first, ...(parseTree(messages) as JsonTree[])]
  const vars = variables === undefined ? undefined : parseTree(variables)
  return treeText(vars instanceof Map ? filled(all, vars) : all)
}

/** The messages that an object of a prompt has. @throws 400 if it has none */
function promptMessages({ ref, text }: { ref: string; text: string | undefined }): JsonTree[] {
  const value = text === undefined ? undefined : storedTree(text)
  const messages = value instanceof Map ? value.get('messages') : undefined
  if (Array.isArray(messages)) return messages
  const content = value instanceof Map ? value.get('content') : undefined
  if (typeof content === 'string')
    return [
      new Map([
        ['role', 'system'],
        ['content', content],
      ]),
    ]
  throw errors.badRequest(`${JSON.stringify(ref.slice(0, 200))} is not a prompt that this key may read.`)
}

function filled(messages: readonly JsonTree[], vars: ReadonlyMap<string, JsonTree>): JsonTree[] {
  let left = MOST_FILLED
  const value = (found: string, name: string) => {
    const tree = vars.get(name)
    if (tree === undefined) return found
    const text = typeof tree === 'string' ? tree : tree instanceof JsonNumber ? tree.text : treeText(tree)
    left -= text.length
    if (left < 0) throw errors.badRequest('template_vars make the messages too long; send shorter ones.')
    return text
  }
  return messages.map((message) => mapStrings(message, (text) => text.replaceAll(VARIABLE, value)))
}

function isEmpty(tree: JsonTree | undefined): boolean {
  return tree === undefined || tree === null || tree === '' || (tree instanceof Map && tree.size === 0)
}
