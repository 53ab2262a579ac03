/** Requests to the service: typed by its OpenAPI document, with the session's token. Knows no screen. */
import { jsonText, parseJson } from './json'
import type { components, paths } from './schema'

export type Schemas = components['schemas']
export type Call = Schemas['CallSchema']

type Json<T> = T extends { content: { 'application/json': infer Value } } ? Value : never
type PostPath = {
  [P in keyof paths]: paths[P] extends { post: { requestBody: unknown } } ? P : never
}[keyof paths]
type Body<P extends PostPath> = paths[P] extends { post: { requestBody: infer R } } ? Json<R> : never
type Answer<Operation> = Operation extends { responses: { 200: infer R } } ? Json<R> : never
type GetPath = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths]

/** A request that failed, with what the service said about it. */
export class ApiError extends Error {
  constructor(
    /** 0: there was no answer */
    readonly status: number,
    readonly code: string,
    message: string,
    /** ms that the service asks to wait before the request is sent again */
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

/** What a request failed of, as a worker tells it to the page. */
export interface Failure {
  status: number
  code: string
  message: string
  retryAfter?: number | undefined
}

let csrf = ''
let signedOut: () => void = () => undefined
let lost: () => void = () => undefined

/** Called with what the service says of the session. */
export function setCsrfToken(token: string): void {
  csrf = token
}

/** For workers, which have a state of their own. */
export const csrfToken = (): string => csrf

/** @param handle called when a request is refused because nobody is signed in */
export function onSignedOut(handle: () => void): void {
  signedOut = handle
}

/** @param handle called when a request has no answer, because the service or the way to it is down */
export function onLost(handle: () => void): void {
  lost = handle
}

/** Answers of a service that stops, or of a proxy before one that is gone. */
const isAway = ({ status, code }: Failure) =>
  status === 0 || status === 502 || status === 504 || (status === 503 && AWAY.includes(code))
const AWAY = ['', 'STOPPING', 'STORE_UNAVAILABLE']

/** The error to throw; calls the handlers of sign-outs and outages. */
export function failed(failure: Failure): ApiError {
  if (failure.status === 401) signedOut()
  if (isAway(failure)) lost()
  return new ApiError(failure.status, failure.code, failure.message, failure.retryAfter)
}

/** The service was busy or broke: the same request may succeed later. */
export const mayPass = ({ status }: Failure): boolean => status === 429 || status >= 500

/** For a worker's message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { status, code, message, retryAfter } = error
    return { status, code, message, retryAfter }
  }
  return { status: -1, code: '', message: error instanceof Error ? error.message : String(error) }
}

const NO_ANSWER = { status: 0, code: '', message: 'The service does not answer. Try again when it does.' }

/** For what the browser says of a request that had no answer, or half of one. */
export function unanswered(error: unknown, signal?: AbortSignal): unknown {
  return signal?.aborted ? error : failed(NO_ANSWER)
}

/** Of the header, in ms: it holds seconds or a date. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

interface Told {
  reason?: string | undefined
  code?: string | undefined
}

/** Sends a request and returns its answer. @param credentials omit: as nobody @throws ApiError */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  credentials: RequestCredentials = 'same-origin',
): Promise<Response> {
  const isForm = body instanceof FormData
  const response = await fetch(path, {
    method,
    headers: {
      ...(method !== 'GET' && { 'x-csrf-token': csrf }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : jsonText(body) }),
    ...(signal && { signal }),
    credentials,
  }).catch((error: unknown) => {
    throw unanswered(error, signal)
  })
  if (response.ok) return response
  const said = (await response.json().catch(() => ({}))) as Told & {
    error?: { message: string; reason?: string }
  }
  // The training interface says it as OpenAI's does.
  const told = said.error ? { reason: said.error.message, code: said.error.reason } : said
  throw failed({
    status: response.status,
    code: told.code ?? '',
    message: told.reason ?? `The service answered ${response.status}.`,
    retryAfter: retryAfterOf(response.headers.get('retry-after')),
  })
}

/** What an answer says. */
export const answered = async <Value>(response: Response): Promise<Value> =>
  parseJson(await response.text()) as Value

/** Asks a route that takes JSON. */
export async function post<P extends PostPath>(
  path: P,
  body: Body<P>,
  signal?: AbortSignal,
): Promise<Answer<paths[P] extends { post: infer O } ? O : never>> {
  return answered(await send('POST', path, body, signal))
}

/** Asks a route by its address alone. @param query with its question mark */
export async function get<P extends GetPath>(
  path: P,
  signal?: AbortSignal,
  query = '',
): Promise<Answer<paths[P] extends { get: infer O } ? O : never>> {
  return answered(await send('GET', path + query, undefined, signal))
}

/** Asks a route that answers with JSON lines, and hands them over as they come, many at a time. */
export async function* postLines<P extends PostPath, Line>(
  path: P,
  body: Body<P>,
  signal?: AbortSignal,
): AsyncGenerator<Line[]> {
  const response = await send('POST', path, body, signal)
  const decoder = new TextDecoder()
  let rest = ''
  const reader = response.body!.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw unanswered(error, signal)
      })
      if (done) break
      rest += decoder.decode(value, { stream: true })
      const end = rest.lastIndexOf('\n')
      if (end < 0) continue
      const lines = parseLines<Line>(rest.slice(0, end))
      rest = rest.slice(end + 1)
      if (lines.length > 0) yield lines
    }
    const last = parseLines<Line>(rest)
    if (last.length > 0) yield last
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** All of {@link postLines} in one list. @public */
export async function allLines<P extends PostPath, Line>(
  path: P,
  body: Body<P>,
  signal?: AbortSignal,
): Promise<Line[]> {
  const all: Line[] = []
  for await (const some of postLines<P, Line>(path, body, signal)) for (const one of some) all.push(one)
  return all
}

/** The values of JSON lines. */
export function parseLines<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as Line)
}

/** Calls of a project as they match. */
export function queryCalls(body: Schemas['CallsQueryReq'], signal?: AbortSignal): Promise<Call[]> {
  return allLines<'/calls/stream_query', Call>('/calls/stream_query', body, signal)
}

/** The condition that a field has this value. */
export const equals = (field: string, value: string): Schemas['EqOperation'] => ({
  $eq: [{ $getField: field }, { $literal: value }],
})
