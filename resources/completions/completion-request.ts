/** From the body of a completion to what a model is asked. Numbers keep their digits. Pure. */
import { type CompletionAsked, completionBody, NOT_HERE } from '../../contract/completions.js'
import { errors } from '../../platform/errors/catalog.js'
import { validate } from '../../platform/http/json-body.js'
import { bodyTree } from '../../platform/http/lossless.js'
import { JsonNumber, type JsonTree, mapStrings, treeText, treeValue } from '../../platform/json/tree.js'

export interface CompletionRequest extends CompletionAsked {
  /** as they came */
  given: Map<string, JsonTree>
}

/** Fields that are ours, or that the route decides. */
const OURS = new Set(['model', 'stream', 'timeout', 'prompt', 'template_vars', ...NOT_HERE])
const VARIABLE = /\{(\w+)\}/g
/** JSON values of a body: it is read where others wait. */
const MOST_VALUES = 2 ** 15
/** Letters that variables may put into messages: one may be long, and stand in many places. */
const MOST_FILLED = 16 << 20

/** @throws 400 and 422 for what can't be asked */
export function readCompletionRequest(bytes: Uint8Array): CompletionRequest {
  const tree = bodyTree(bytes, MOST_VALUES)
  const body = validate(completionBody, treeValue(tree), 'body')
  const given = tree.get('inputs') as Map<string, JsonTree>
  const strange = NOT_HERE.find((name) => !isEmpty(given.get(name)))
  if (strange !== undefined)
    throw errors.badRequest(`${strange} can't be set in a request; set it in the provider object.`)
  if (body.inference_route)
    throw errors.badRequest('inference_route is not supported; name a provider in inputs.model instead.')
  return { ...body, given }
}

/** Most ms that the caller wants to wait; undefined: it doesn't say. */
export function timeoutOf({ inputs }: CompletionRequest): number | undefined {
  return inputs.timeout === null || inputs.timeout === undefined ? undefined : Number(inputs.timeout) * 1000
}

/**
 * What the model is asked, without its name.
 * @param prompt messages that come first
 * @throws 400 where variables make too much of them
 */
export function fieldsOf({ given }: CompletionRequest, prompt: readonly JsonTree[]): Map<string, JsonTree> {
  const fields = new Map([...given].filter(([name, value]) => !OURS.has(name) && value !== null))
  const own = given.get('messages')
  const messages = [...prompt, ...(Array.isArray(own) ? own : [])]
  const vars = given.get('template_vars')
  fields.set('messages', vars instanceof Map ? filled(messages, vars) : messages)
  return fields
}

/** The JSON that is sent. @param more fields that the route decides */
export function requestText(fields: ReadonlyMap<string, JsonTree>, more: Record<string, JsonTree>): string {
  return treeText(new Map([...fields, ...Object.entries(more)]))
}

/** The messages that an object of a prompt has. @throws 400 if it has none */
export function promptMessages(ref: string, value: JsonTree | undefined): JsonTree[] {
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
