/**
 * Signals: what is noticed in an answer without a model. Each looks at an output and its inputs, and says whether it found
 * something, how sure it is, and what. The phrases are English; a judge is the better scorer for other languages and for
 * what no phrase tells. Pure.
 */
import type { SIGNALS } from '../../../contract/monitors.js'
import { type JsonTree, treeText } from '../../../platform/json/tree.js'
import { textOf } from './values.js'

export type Signal = (typeof SIGNALS)[number]

export interface Found {
  value: boolean
  /** 0 to 1 */
  confidence: number
  reason: string
}

/** Longer texts are looked at as far as this, in characters. */
const MOST = 100_000

type Look = (output: JsonTree, inputs: JsonTree) => Omit<Found, 'value'> | undefined

/** @param output what came out @param inputs what went in: a question, or messages */
export function signalOf(signal: Signal, output: JsonTree, inputs: JsonTree): Found {
  const found = LOOKS[signal](output, inputs)
  return found ? { value: true, ...found } : { value: false, confidence: 0.5, reason: '' }
}

/** Those that look at outputs alone. */
export const OF_OUTPUTS: ReadonlySet<Signal> = new Set(['refusal', 'no_answer'])

const LOOKS: Record<Signal, Look> = {
  refusal: (output) =>
    phrase(
      answerOf(output).slice(0, 400),
      /\b(?:i(?:'m| am) (?:sorry|afraid)[^.!?]{0,40}\b(?:can(?:'t|not)|unable|not able|won't)|i(?: can(?:'t|not)|(?:'m| am) (?:unable|not able) to| won't(?: be able to)?| (?:must|have to) decline to) (?:help|assist|provide|comply|fulfill?|answer|do that|discuss|create|generate|share)|as an ai(?: language)? model)\b/i,
      0.9,
    ),
  no_answer: (output) => {
    const text = answerOf(output).trim()
    if (text === '' || text === 'null') {
      const asksTool = toolCallsIn(output).length > 0
      return asksTool ? undefined : { confidence: 1, reason: 'The output is empty.' }
    }
    return phrase(
      text.slice(0, 400),
      /\bi (?:do not|don't) (?:know|have (?:that|this|the|any|enough) information|have an answer)\b|\bno (?:information|answer) (?:was found|is available)\b/i,
      0.8,
    )
  },
  user_frustration: (_, inputs) =>
    phrase(
      questionOf(inputs),
      /\b(?:this (?:is|isn't|does(?:n't| not)) (?:useless|ridiculous|terrible|work(?:ing)?|help(?:ing|ful)?|wrong)|you(?:'re| are) (?:useless|wrong|not (?:listening|helping|understanding))|that(?:'s| is) (?:not what i (?:asked|said|meant|wanted)|wrong|useless)|i (?:already (?:told|said|asked)|(?:just )?want to (?:speak|talk) to a (?:human|person))|still (?:not working|broken|wrong)|for the (?:second|third|last|\d+(?:rd|th)) time|waste of time|wtf|what the (?:hell|heck))\b|[!?]{3,}/i,
      0.7,
    ),
  prompt_injection: (_, inputs) =>
    phrase(
      textsOf(inputs).join('\n').slice(0, MOST),
      /\b(?:(?:ignore|disregard|forget)(?: all)?(?: of)?(?: the| your| my)? (?:previous|prior|above|earlier|preceding|system) (?:instructions?|prompts?|messages?|rules)|(?:reveal|print|show|repeat)(?: me)? (?:your|the) (?:system prompt|hidden instructions|initial instructions)|you are now (?:dan|in developer mode|unrestricted)|do anything now|pretend (?:that )?you have no (?:restrictions|rules|guidelines))\b/i,
      0.8,
    ),
  tool_loop: (output, inputs) => {
    const calls = [...toolCallsIn(inputs), ...toolCallsIn(output)]
    let run = 1
    for (let i = 1; i < calls.length; i++) {
      run = calls[i]!.key === calls[i - 1]!.key ? run + 1 : 1
      if (run === LOOP)
        return {
          confidence: 0.9,
          reason: `${calls[i]!.name} is called ${LOOP} times in a row with the same arguments.`,
        }
    }
    return undefined
  },
  language_switch: (output, inputs) => {
    const [asked, answered] = [scriptOf(questionOf(inputs)), scriptOf(answerOf(output))]
    if (asked === undefined || answered === undefined || asked === answered) return undefined
    return { confidence: 0.8, reason: `The question is ${asked}, the answer ${answered}.` }
  },
  pii: (output, inputs) => {
    const text = `${textsOf(inputs).join('\n')}\n${answerOf(output)}`.slice(0, MOST)
    const kinds = PERSONAL.filter(({ found }) => found(text)).map(({ name }) => name)
    if (kinds.length === 0) return undefined
    // The value itself is not repeated: whoever reads scores may not be allowed to read calls.
    return { confidence: 0.8, reason: `There is ${kinds.join(', ')}.` }
  },
}

const LOOP = 3

function phrase(text: string, pattern: RegExp, confidence: number): Omit<Found, 'value'> | undefined {
  // Many models and most phones write a curly apostrophe.
  const found = pattern.exec(text.slice(0, MOST).replaceAll('’', "'"))?.[0]
  return found === undefined ? undefined : { confidence, reason: `“${found.trim().slice(0, 100)}”` }
}

/** The text of an answer: what the last message in it says that no user wrote. */
function answerOf(output: JsonTree): string {
  const last = messagesIn(output).findLast((one) => !USERS.has(roleOf(one)))
  if (last !== undefined) return said(last)
  if (!(output instanceof Map))
    return Array.isArray(output) ? textsOf(output).join('\n') : textOf(output ?? '')
  for (const value of [output.get('content'), output.get('text'), output.get('output')]) {
    if (value !== undefined && value !== null)
      return typeof value === 'string' ? value : textsOf(value).join('\n')
  }
  return output.size > 0 ? treeText(output) : ''
}

function memberOf(value: JsonTree | undefined, name: string): JsonTree | undefined {
  return value instanceof Map ? value.get(name) : undefined
}

/** What the last message of a user says; without messages, all texts. */
function questionOf(inputs: JsonTree): string {
  const last = messagesIn(inputs).findLast((one) => USERS.has(roleOf(one)))
  return last === undefined ? textsOf(inputs).join('\n') : said(last)
}

type Message = ReadonlyMap<string, JsonTree>

const USERS: ReadonlySet<unknown> = new Set(['user', 'human'])
const roleOf = (message: Message) => message.get('role')

/** The messages in a value: the first list that has some, or one by itself. */
function messagesIn(value: JsonTree): Message[] {
  if (Array.isArray(value)) return value.flatMap((one) => messageIn(one) ?? [])
  if (!(value instanceof Map)) return []
  const own = messageIn(value)
  if (own !== undefined) return [own]
  for (const inner of value.values()) {
    const found = messagesIn(inner)
    if (found.length > 0) return found
  }
  return []
}

/** A message, or the one in a choice of a completion (OpenAI, OpenInference) or in a candidate (Gemini). */
function messageIn(value: JsonTree): Message | undefined {
  const holds = (one: JsonTree | undefined): one is Map<string, JsonTree> =>
    one instanceof Map && MESSAGE.some((name) => one.has(name))
  if (holds(value) && value.has('role')) return value
  return [memberOf(value, 'message'), memberOf(value, 'content')].find(holds)
}

/** Where a message has what it says or asks for. */
const MESSAGE = ['content', 'parts', 'tool_calls']
/** The kinds of parts that are said; others are calls of tools, their results, and thoughts. */
const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'refusal'])

function said(message: Message): string {
  const content = message.get('content') ?? message.get('parts') ?? message.get('refusal') ?? ''
  const parts = Array.isArray(content) ? content : [content]
  return parts.map(partText).filter(Boolean).join('\n')
}

function partText(part: JsonTree): string {
  if (typeof part === 'string') return part
  if (!(part instanceof Map)) return ''
  const type = part.get('type')
  const text = part.get('text') ?? part.get('content') ?? part.get('refusal')
  return typeof text === 'string' && (type === undefined || TEXTS.has(type)) ? text : ''
}

/** All texts in a value, in order. */
function textsOf(value: JsonTree): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (value instanceof Map)
    return [...value.entries()].flatMap(([key, inner]) => (key === 'role' ? [] : textsOf(inner)))
  return []
}

/** The kinds of parts and items that are a call of a tool. */
const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'tool-call', 'function_call'])

/** Calls of tools in a value, in order, as the interfaces of models and OpenTelemetry write them. */
function toolCallsIn(value: JsonTree): { name: string; key: string }[] {
  if (Array.isArray(value)) return value.flatMap(toolCallsIn)
  if (!(value instanceof Map)) return []
  const called =
    value.get('function') ?? value.get('functionCall') ?? (CALLS.has(value.get('type')) ? value : undefined)
  const name = memberOf(called, 'name') ?? memberOf(called, 'toolName')
  if (typeof name === 'string') {
    const given = ['arguments', 'input', 'args'].map((one) => memberOf(called, one))
    const first = given.find((one) => one !== undefined)
    // A description of a tool has parameters and no arguments.
    return first === undefined ? [] : [{ name, key: `${name} ${textOf(first)}` }]
  }
  return [...value.values()].flatMap(toolCallsIn)
}

const SCRIPTS: readonly [string, RegExp][] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Chinese or Japanese', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
]
const FEW_LETTERS = 12
const LOOKED_AT = 2000

/** The script that most letters of a text are in; undefined: there are too few, or none stands out. */
function scriptOf(text: string): string | undefined {
  const some = [...text.slice(0, LOOKED_AT)]
  const counts = SCRIPTS.map(([name, letters]) => ({
    name,
    count: some.filter((one) => letters.test(one)).length,
  }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const most = counts.reduce((left, right) => (right.count > left.count ? right : left))
  return all < FEW_LETTERS || most.count < 0.8 * all ? undefined : most.name
}

const PERSONAL: readonly { name: string; found: (text: string) => boolean }[] = [
  {
    name: 'an e-mail address',
    found: (text) => /\b[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+\b/i.test(text),
  },
  {
    name: 'a phone number',
    found: (text) => /(?<![\w+])\+\d{1,3}[ .-]?\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4}\b/.test(text),
  },
  { name: 'a card number', found: (text) => (text.match(/\b\d(?:[ -]?\d){12,18}\b/g) ?? []).some(isCard) },
  {
    name: 'an IBAN',
    found: (text) =>
      (text.match(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g) ?? []).some(isIban),
  },
]

/** The check of Luhn, ISO/IEC 7812-1. */
function isCard(text: string): boolean {
  const digits = [...text]
    .filter((one) => one >= '0' && one <= '9')
    .map(Number)
    .reverse()
  const sum = digits.reduce(
    (all, digit, i) => all + (i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit),
    0,
  )
  return new Set(digits).size > 1 && sum % 10 === 0
}

/** ISO 13616: the rest of the number, letters as 10 to 35, by 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  let rest = 0
  for (const one of plain.slice(4) + plain.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(one, 36)}`) % 97
  return rest === 1
}
