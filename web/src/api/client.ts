/** Requests to the service: typed by its OpenAPI document, with the session's token. Knows no screen. */
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
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

let csrf = ''
let signedOut: () => void = () => undefined

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

interface Told {
  reason?: string | undefined
  code?: string | undefined
}

/** Sends a request and returns its answer. @throws ApiError */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const isForm = body instanceof FormData
  const response = await fetch(path, {
    method,
    headers: {
      ...(method !== 'GET' && { 'x-csrf-token': csrf }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (response.ok) return response
  const said = (await response.json().catch(() => ({}))) as Told & {
    error?: { message: string; reason?: string }
  }
  // The training interface says it as OpenAI's does.
  const told = said.error ? { reason: said.error.message, code: said.error.reason } : said
  if (response.status === 401 && path !== '/session') signedOut()
  throw new ApiError(
    response.status,
    told.code ?? '',
    told.reason ?? `The service answered ${response.status}.`,
  )
}

/** Asks a route that takes JSON. */
export async function post<P extends PostPath>(
  path: P,
  body: Body<P>,
  signal?: AbortSignal,
): Promise<Answer<paths[P] extends { post: infer O } ? O : never>> {
  return (await send('POST', path, body, signal)).json()
}

/** Asks a route by its address alone. */
export async function get<P extends GetPath>(
  path: P,
  signal?: AbortSignal,
): Promise<Answer<paths[P] extends { get: infer O } ? O : never>> {
  return (await send('GET', path, undefined, signal)).json()
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
      const { done, value } = await reader.read()
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

function parseLines<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

/** Calls of a project as they match. */
export function queryCalls(body: Schemas['CallsQueryReq'], signal?: AbortSignal): Promise<Call[]> {
  return allLines<'/calls/stream_query', Call>('/calls/stream_query', body, signal)
}
