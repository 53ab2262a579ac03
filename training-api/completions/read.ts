/**
 * Reads the body of a text completion's request: makes a chat completion request of it, to which prompts are given
 * instead of messages. Runs on a thread for a long body. Pure.
 */
import {
  COMPLETION_SAME_AS_CHAT,
  type CompletionRequest,
  completionRequest,
} from '../../contract/text-completions.js'
import {
  MOST_VALUES,
  type PlainPrompt,
  plainPrompts,
  type ReadChat,
  readChat,
} from '../../domain/chat/request.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { parseJson, validate } from '../../platform/http/json-body.js'
import { rawFields } from '../../platform/json/fields.js'
import { problems } from '../problem.js'

const DEFAULT_TOKENS = 16
/** Most choices of all prompts. */
const MOST_CHOICES = 128

/** What the writer of the answer needs. */
export interface CompletionWanted {
  echo: boolean
  /** how many alternatives of each token; undefined: no log-probabilities */
  logprobs: number | undefined
  /** nothing is to be generated: the one token that is, is left out */
  nothing: boolean
  tokenIds: boolean
  /** choices of each prompt */
  n: number
}

export interface CompletionRead {
  /** JSON of the chat completion request, with a message in place of the prompt */
  chat: Uint8Array
  read: ReadChat
  prompts: PlainPrompt[]
  /** JSON of the request with each of the prompts alone */
  inputs: string[]
  wanted: CompletionWanted
}

/** @throws like `readChat`, with the fields of this interface */
export function readCompletion(bytes: Uint8Array): CompletionRead {
  const fields = validate(completionRequest, parseJson(bytes, MOST_VALUES) ?? {}, 'body')
  checkTogether(fields)
  const prompts = plainPrompts(fields.prompt, 'prompt', fields.add_special_tokens)
  const n = fields.n ?? 1
  if (prompts.length * n > MOST_CHOICES)
    throw problems.conflict(`Ask for at most ${MOST_CHOICES} choices of all prompts together.`, 'n')
  const logprobs = fields.logprobs ?? undefined
  const echo = fields.echo ?? false
  const made = {
    messages: [{ role: 'user', content: '' }],
    max_tokens: Math.max(1, fields.max_tokens ?? DEFAULT_TOKENS),
    ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs }),
  }
  const buf = bufferOf(bytes)
  const all = [...(rawFields(buf) ?? [])].map(
    ([name, { from, to }]) => [name, `,${JSON.stringify(name)}:${buf.toString('utf8', from, to)}`] as const,
  )
  // As they were sent, so that no digit is lost.
  const same = all.filter(
    ([name]) => COMPLETION_SAME_AS_CHAT.includes(name) && !(echo && name === OWN_LOGPROBS),
  )
  const own = echo && logprobs !== undefined ? `,"${OWN_LOGPROBS}":${logprobs}` : ''
  const chat = Buffer.from(
    `${JSON.stringify(made).slice(0, -1)}${same.map(([, text]) => text).join('')}${own}}`,
  )
  const rest = all.filter(([name]) => name !== 'prompt').map(([, text]) => text)
  const shown = (prompt: PlainPrompt) => JSON.stringify('text' in prompt ? prompt.text : prompt.tokenIds)
  return {
    chat,
    read: readChat(chat),
    prompts,
    inputs: prompts.map((prompt) => `{"prompt":${shown(prompt)}${rest.join('')}}`),
    wanted: {
      ...{ echo, logprobs, n, nothing: fields.max_tokens === 0, tokenIds: fields.return_token_ids ?? false },
    },
  }
}

/** Of the prompt's tokens: with `echo` they are in the choices' log-probabilities. */
const OWN_LOGPROBS = 'prompt_logprobs'

/** @throws 400 */
function checkTogether(fields: CompletionRequest): void {
  const { n, best_of, suffix, echo, logprobs, stream, max_tokens } = fields
  const refused = (reason: string, field: string) => problems.refused('UNSUPPORTED_FIELD', reason, field)
  if (suffix)
    throw refused('Texts between a prompt and a suffix are not generated here; omit suffix.', 'suffix')
  if (best_of && best_of !== (n ?? 1))
    throw refused('The best of several choices is not looked for here; omit best_of.', 'best_of')
  if (fields.use_beam_search && echo) throw problems.conflict('Beam search has no echo.', 'echo')
  if (stream && echo && typeof logprobs === 'number')
    throw problems.conflict('A stream with echo has no logprobs; omit one of the three.', 'logprobs')
  if (max_tokens === 0 && !echo)
    throw problems.conflict('Without echo max_tokens has to be at least 1.', 'max_tokens')
}
