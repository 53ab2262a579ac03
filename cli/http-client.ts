/** The HTTP client of commands: address, key, and errors as sentences. Knows no route. */

import { collect } from '../platform/bytes/collect.js'
import { isProjectName } from '../platform/ids/project.js'
import { CommandError } from './command.js'
import { printable } from './printable.js'
import { reachable } from './reachable.js'
import { inCommands, inOptions } from './refusals.js'
import { DataFolder } from './up/data-folder.js'

/** The most bytes of an error's body. */
const MOST_REASON = 1 << 20

export interface Target {
  url: string
  key: string
}

interface KeySource {
  dataDir: string
  devApiKey: string | undefined
}

/** The given key, else that of `heddle up` on this machine. */
export function keyFor(told: { key?: string }, { dataDir, devApiKey }: KeySource): string {
  const key = told.key ?? devApiKey ?? DataFolder.existing(dataDir)?.readDevKey()
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new CommandError('the API key has characters that no key has; copy it again', 2)
  if (key !== undefined) return key
  throw new CommandError('no API key: start `heddle up` in this folder first, or use --key', 2)
}

/** Address and key of a running Heddle: as given, else those of `heddle up` on this machine. */
export function target(
  told: { url?: string; key?: string },
  config: { host: string; port: number } & KeySource,
): Target {
  const url = told.url === undefined ? `http://${reachable(config.host)}:${config.port}` : serverAt(told.url)
  return { url, key: keyFor(told, config) }
}

/** `address` without a slash at its end. @throws CommandError unless it can be a server's */
export function serverAt(address: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address.replace(/\/+$/, '')
  throw new CommandError(`"${address}" is not an http or https address`, 2)
}

/** `name`, if it can be a project's. @throws CommandError */
export function projectNamed(name: string): string {
  if (isProjectName(name)) return name
  throw new CommandError(`"${name}" is not a project; write entity/project`, 2)
}

/** A project as paths of routes name it. @throws CommandError */
export function partsOf(name: string): { entity: string; project: string } {
  const [entity, project] = projectNamed(name).split('/') as [string, string]
  return { entity, project }
}

/** The path of a project's route under `/v2`. @throws CommandError */
export function projectPath(name: string, rest: string): string {
  const { entity, project } = partsOf(name)
  return `/v2/${encodeURIComponent(entity)}/${encodeURIComponent(project)}/${rest}`
}

/** A server that refused a request, or that can't be reached. */
export class AnswerError extends CommandError {
  /**
   * @param answered the status of the answer; 0: there was none
   * @param retryAfter seconds that the server asks to wait
   */
  constructor(
    message: string,
    readonly answered: number,
    readonly retryAfter?: number,
  ) {
    // It may quote the server.
    super(printable(message))
  }
}

/** Whose server it is: for sentences about it. */
export interface Named {
  name: string
  /** what to do where no server answers, or refuses the key */
  unreachable: string
  unauthorized: string
  /** it is the one that options and commands of ours are about */
  ours?: true
}

const HEDDLE: Named = {
  name: 'Heddle',
  unreachable: 'is `heddle up` running?',
  unauthorized: 'check --key; `heddle keys list` shows the keys that exist',
  ours: true,
}

/** Sends a request and returns a successful answer. @throws AnswerError with one sentence otherwise */
export async function send(address: string, init: RequestInit, server: Named = HEDDLE): Promise<Response> {
  const { origin, pathname } = new URL(address)
  let answer: Response
  try {
    answer = await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new AnswerError(`no answer from ${origin} (${reasonOf(error)}); ${server.unreachable}`, 0)
  }
  if (answer.ok) return answer
  const { status } = answer
  const elsewhere = answer.headers.get('location')
  if (status >= 300 && status < 400 && elsewhere !== null) {
    await answer.body?.cancel()
    const to = URL.canParse(elsewhere, address) ? new URL(elsewhere, address).href : elsewhere
    throw new AnswerError(`${origin} redirects to ${to}; if that is right, give its address instead`, status)
  }
  const after = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const reason = reasonIn(
    await textOf(answer, MOST_REASON).catch(() => ''),
    server.ours ? pathname : undefined,
  )
  throw new AnswerError(
    sentence(status, origin, pathname, reason, server),
    status,
    Number.isNaN(after) ? undefined : after,
  )
}

/** The text of an answer. @throws RangeError if it has more than `most` bytes */
export async function textOf(answer: Response, most: number): Promise<string> {
  const body: AsyncIterable<Uint8Array> = answer.body ?? new ReadableStream<Uint8Array>()
  return (await collect(body, most)).toString()
}

/** POSTs JSON and returns a successful answer. @throws AnswerError with one sentence otherwise */
export function post(to: Target, path: string, body: unknown): Promise<Response> {
  return ask(to, 'POST', path, body)
}

/** Sends a request, with JSON if there is a body, and returns a successful answer. @throws AnswerError */
export function ask(
  to: Target,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return send(to.url + path, {
    ...{ method, headers: headersFor(to) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

function headersFor({ key }: Target): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/jsonl, application/json',
  }
}

/** GETs an answer of JSON. @throws AnswerError */
export async function readJson<T>(to: Target, path: string): Promise<T> {
  return (await (await ask(to, 'GET', path)).json()) as T
}

/** POSTs JSON and returns an answer of JSON. @throws AnswerError */
export async function sendJson<T>(to: Target, path: string, body: unknown): Promise<T> {
  return (await (await post(to, path, body)).json()) as T
}

/** POSTs JSON text as it is written, digits and all, and returns an answer of JSON. @throws AnswerError */
export async function sendText<T>(to: Target, path: string, body: string): Promise<T> {
  return (await (await send(to.url + path, { method: 'POST', headers: headersFor(to), body })).json()) as T
}

/** The values of an answer of JSON lines. */
export async function jsonLines<T>(answer: Response): Promise<T[]> {
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as T)
}

function sentence(status: number, origin: string, path: string, reason: string, server: Named): string {
  if (status === 401) return `${origin} does not accept the API key; ${server.unauthorized}`
  if (status === 505)
    return `a proxy at ${origin} speaks HTTP/1.0 to ${server.name}; set \`proxy_http_version 1.1\` in nginx (docs/operate/proxies.md)`
  if (reason !== '') return reason
  if (status === 404) return `${origin} has no ${path}; is it the address of ${server.name}?`
  if (status >= 500) return `${server.name} at ${origin} can't answer now; look at its log`
  return `${server.name} at ${origin} refused the request for ${path}`
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error
  return cause instanceof Error ? cause.message || (error as Error).message : (error as Error).message
}

interface ErrorBody {
  code?: string
  reason?: string
  message?: string
  detail?: string | { msg: string; loc: (string | number)[] }[]
  error?: string | { message?: string; reason?: string }
}

/** The sentence in an error's body; '' if there is none. @param route of ours; undefined: another server's */
function reasonIn(text: string, route: string | undefined): string {
  try {
    const { code, reason, message, detail, error } = JSON.parse(text) as ErrorBody
    // About methods and paths, which are not the user's.
    if (code === 'NO_ROUTE' || (typeof error === 'object' && error.reason === 'NO_ROUTE')) return ''
    if (Array.isArray(detail) && detail[0]) {
      const [{ loc, msg }] = detail as [{ msg: string; loc: (string | number)[] }]
      // Where in the request it stands, without which part of the request that is.
      const path = loc.slice(1)
      return [...(route === undefined ? path : inOptions(path, route)), msg].join(': ')
    }
    const told = [reason, detail, typeof error === 'object' ? error.message : error, message]
    const found = told.find((one): one is string => typeof one === 'string' && one !== '') ?? ''
    return route === undefined ? found : inCommands(found)
  } catch {
    // A page of a proxy says nothing to people, a line of text does.
    return text.length < 200 && !text.includes('<') ? text.trim() : ''
  }
}
