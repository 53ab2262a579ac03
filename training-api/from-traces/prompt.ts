/**
 * Finds the conversation before an answer, in a call's inputs or a dataset's row, in any form that programs trace.
 * Pure.
 */
import { isObject } from '../../platform/json/object.js'
import { LeftOut } from './left-out.js'
import { type ChatMessage, messagesOf, toolsOf } from './messages.js'

export interface PromptFound {
  messages: ChatMessage[]
  tools: Record<string, unknown>[] | undefined
}

/** Keys under which a span's attributes hold its inputs. */
const WRAPPERS = [
  'gen_ai.prompt',
  'gen_ai.input.messages',
  'ai.prompt',
  'input.value',
  'mlflow.spanInputs',
  'pydantic_ai.all_messages',
  'traceloop.entity.input',
  'llm.input_messages',
  'langfuse.observation.input',
  'all_messages_events',
  'gcp.vertex.agent.llm_request',
  'kwargs',
  'inputs',
] as const

/** Keys that hold a list of messages. */
const LISTS = ['messages', 'conversations', 'contents', 'input', 'prompt'] as const
/** Keys of a plain question; the first present one wins. */
const QUESTIONS = ['prompt', 'question', 'query', 'instruction', 'input'] as const
const DEEPEST = 5

/** @param inputs a call's inputs, or a row. @throws LeftOut */
export function promptOf(inputs: unknown, depth = 0): PromptFound {
  if (typeof inputs === 'string' && inputs.trim() !== '') return asked(inputs)
  if (Array.isArray(inputs)) return { messages: messagesOf(inputs), tools: undefined }
  if (!isObject(inputs) || depth > DEEPEST) throw new LeftOut('no_messages')
  const list = LISTS.map((key) => inputs[key]).find(Array.isArray)
  if (list) {
    // A list of lists is a batch of conversations, as in LangChain.
    const [first] = list
    const messages = messagesOf(list.length === 1 && Array.isArray(first) ? first : list)
    return { messages: [...instructions(inputs), ...messages], tools: toolsOf(inputs.tools) }
  }
  const wrapper = WRAPPERS.find((key) => inputs[key] !== undefined && inputs[key] !== null)
  if (wrapper !== undefined) {
    const found = promptOf(inputs[wrapper], depth + 1)
    return { ...found, tools: found.tools ?? toolsOf(inputs.tools) }
  }
  const question = plainQuestion(inputs)
  return {
    messages: [...instructions(inputs), { role: 'user', content: question }],
    tools: toolsOf(inputs.tools),
  }
}

/** Instructions in a field beside the messages, which go before them. */
function instructions(inputs: Record<string, unknown>): ChatMessage[] {
  const said = inputs.system ?? inputs.instructions ?? inputs.systemInstruction
  if (said === undefined || said === null || said === '') return []
  return messagesOf([{ role: 'system', content: said }])
}

/** The question of a row without messages: a field with a well-known name, or the row's only text. */
function plainQuestion(inputs: Record<string, unknown>): string {
  const texts = Object.entries(inputs).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' &&
      entry[1].trim() !== '' &&
      !['model', 'self', 'system'].includes(entry[0]),
  )
  const known = QUESTIONS.find((key) => texts.some(([name]) => name === key))
  if (known !== undefined) {
    const text = String(inputs[known])
    // An instruction and its subject are in two fields.
    const about = known === 'instruction' && typeof inputs.input === 'string' ? inputs.input : ''
    return about === '' ? text : `${text}\n\n${about}`
  }
  const [only] = texts
  if (texts.length !== 1 || !only) throw new LeftOut('no_messages')
  return only[1]
}

/** The system instructions in a span's attributes, as parts. */
export function systemOf(attributes: unknown): ChatMessage[] {
  if (!isObject(attributes) || !Array.isArray(attributes.system)) return []
  return messagesOf([{ role: 'system', content: attributes.system }])
}

function asked(text: string): PromptFound {
  return { messages: [{ role: 'user', content: text }], tools: undefined }
}
