/**
 * Posts JSON to a provider and reads its JSON answer, complete or as events, within a time and a size limit. Every
 * failure is a {@link ProviderFailure} without secrets in its message.
 */
import type { Response } from 'undici'
import { collect } from '../../platform/bytes/collect.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { BodyBudget } from '../../platform/http/budget.js'
import { JsonError } from '../../platform/json/error.js'
import { type JsonTree, mapStrings, parseTree, treeText } from '../../platform/json/tree.js'
import type { Outbound } from '../../platform/outbound/fetch.js'
import { eventData } from './event-stream.js'
import { failureOfStatus, ProviderFailure } from './failure.js'
import type { ProviderModel } from './provider.js'

/** Limits for an error's text: bytes read, and characters passed on. */
const ERROR_BYTES = 64 << 10
const ERROR_LETTERS = 1000

export interface AskOptions {
  /** aborted after `timeoutMs`, the limit for the whole request */
  time: AbortSignal
  timeoutMs: number
  /** most bytes of the answer */
  maxBytes: number
  /** counts the bytes read: false if there is no room for more; the caller releases them */
  holding: { take(bytes: number): boolean }
  /** aborted when the caller leaves */
  signal: AbortSignal
}

/** Options of one request; `release` gives back the bytes held for its answer. */
export function askBounds(
  { held, timeoutMs }: { held: BodyBudget; timeoutMs: number },
  maxBytes: number,
  signal: AbortSignal,
): AskOptions & { release: () => void } {
  let bytes = 0
  const take = (more: number) => {
    const room = held.take(more)
    if (room) bytes += more
    return room
  }
  const time = AbortSignal.timeout(timeoutMs)
  return { time, timeoutMs, maxBytes, holding: { take }, signal, release: () => held.give(bytes) }
}

/** The JSON answer to `POST <base><path>`, with credentials removed. @throws ProviderFailure */
export async function askProvider(
  outbound: Outbound,
  model: ProviderModel,
  path: string,
  body: string,
  options: AskOptions,
): Promise<JsonTree> {
  return withinTime(options, model.secrets, async (signal) => {
    const response = await post(outbound, model, path, body, 'application/json', signal)
    return hideInTree(jsonOf(await collect(pieces(response, options))), model.secrets)
  })
}

/**
 * The data of each event in the answer to `POST <base><path>`, as JSON texts with credentials removed, up to `[DONE]`
 * or the end. Ending the iteration early ends the request. @throws ProviderFailure
 */
export async function* askProviderStream(
  outbound: Outbound,
  model: ProviderModel,
  path: string,
  body: string,
  options: AskOptions,
): AsyncGenerator<string> {
  const left = new AbortController()
  const signal = AbortSignal.any([options.time, options.signal, left.signal])
  try {
    const response = await post(outbound, model, path, body, 'text/event-stream', signal)
    for await (const data of eventData(pieces(response, options))) {
      if (data === '[DONE]') return
      yield treeText(hideInTree(jsonOf(Buffer.from(data)), model.secrets))
    }
  } catch (error) {
    throw withoutSecrets(failureOf(error, options), model.secrets)
  } finally {
    left.abort()
  }
}

/** @returns a successful answer @throws ProviderFailure with the provider's reason */
async function post(
  outbound: Outbound,
  { baseUrl, headers, secrets }: ProviderModel,
  path: string,
  body: string,
  accept: string,
  signal: AbortSignal,
): Promise<Response> {
  const response = await outbound.fetch(baseUrl + path, {
    ...{ method: 'POST', body, signal },
    headers: { ...headers, 'content-type': 'application/json', accept },
  })
  if (response.ok) return response
  const reason = pieces(response, { maxBytes: ERROR_BYTES, holding: { take: () => true } })
  const bytes = await collect(reason).catch(() => new Uint8Array(0))
  throw failureOfStatus(response.status, explanation(bytes, secrets))
}

/** Streams the bytes of an answer after decompression, counting them. Ending the iteration early cancels the body. */
async function* pieces(
  response: Response,
  { maxBytes, holding }: Pick<AskOptions, 'maxBytes' | 'holding'>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > maxBytes)
      throw new ProviderFailure('PROVIDER_TOO_LARGE', `The provider answered more than ${maxBytes} bytes.`)
    if (!holding.take(piece.length))
      throw new ProviderFailure(
        'OVERLOADED',
        'The service has no memory left for answers; send the request again later.',
      )
    yield piece
  }
}

/** Fetches an address that a provider returned, without sending credentials. @throws ProviderFailure */
export async function fetchResult(
  outbound: Outbound,
  address: string,
  secrets: readonly string[],
  options: AskOptions,
): Promise<Uint8Array> {
  return withinTime(options, secrets, async (signal) => {
    const response = await outbound.fetch(address, { signal })
    if (!response.ok) {
      await response.body?.cancel()
      const { status } = response
      throw new ProviderFailure(
        'PROVIDER_BAD_ANSWER',
        `The address that the provider returned answered ${status}.`,
      )
    }
    return collect(pieces(response, options))
  })
}

async function withinTime<T>(
  options: AskOptions,
  secrets: readonly string[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(AbortSignal.any([options.time, options.signal]))
  } catch (error) {
    throw withoutSecrets(failureOf(error, options), secrets)
  }
}

function withoutSecrets(
  { code, message, status }: ProviderFailure,
  secrets: readonly string[],
): ProviderFailure {
  return new ProviderFailure(code, hideIn(message, secrets), status)
}

function failureOf(error: unknown, { time, signal, timeoutMs }: AskOptions): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  if (signal.aborted)
    return new ProviderFailure('CANCELLED', 'The caller went away before the provider answered.')
  if (time.aborted)
    return new ProviderFailure(
      'PROVIDER_TIMEOUT',
      `The provider did not answer within ${timeoutMs / 1000} seconds.`,
    )
  if (error instanceof HeddleError && error.code === 'BAD_ADDRESS')
    return new ProviderFailure('BAD_ADDRESS', error.reason)
  const why = error instanceof Error ? error.message : 'the connection broke'
  return new ProviderFailure(
    'PROVIDER_UNREACHABLE',
    `The provider can't be reached: ${why.slice(0, ERROR_LETTERS)}`,
  )
}

function jsonOf(bytes: Uint8Array): JsonTree {
  try {
    return parseTree(bytes)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new ProviderFailure('PROVIDER_BAD_ANSWER', `The provider's answer is not JSON: ${error.message}.`)
  }
}

/** The provider's error message, in its common forms, or else the start of the text; cut after `secrets` are out of it. */
function explanation(bytes: Uint8Array, secrets: readonly string[]): string {
  const text = new TextDecoder().decode(bytes)
  const cut = (found: string) => hideIn(found, secrets).slice(0, ERROR_LETTERS)
  try {
    return cut(textIn(parseTree(bytes)))
  } catch {
    return cut(text).replaceAll(/\s+/g, ' ').trim()
  }
}

function textIn(tree: JsonTree | undefined): string {
  if (typeof tree === 'string') return tree
  if (!(tree instanceof Map)) return ''
  for (const key of ['error', 'message', 'detail']) {
    const text = textIn(tree.get(key))
    if (text !== '') return text
  }
  return ''
}

const HIDDEN = 'REDACTED'

/** `text` with all `secrets` removed. */
export function hideIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, HIDDEN)), text)
}

/** `tree` with all `secrets` removed from its texts and keys. */
export function hideInTree(tree: JsonTree, secrets: readonly string[]): JsonTree {
  const hide = (text: string) => hideIn(text, secrets)
  return hideKeys(mapStrings(tree, hide), hide)
}

function hideKeys(tree: JsonTree, hide: (text: string) => string): JsonTree {
  if (Array.isArray(tree)) return tree.map((item) => hideKeys(item, hide))
  if (!(tree instanceof Map)) return tree
  return new Map([...tree].map(([key, value]) => [hide(key), hideKeys(value, hide)]))
}
