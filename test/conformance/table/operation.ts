/**
 * A row of the table of operations: what a valid request is and how its effect is read back, and what an invalid one
 * is. Says how a row is sent; the suites beside it judge the answers.
 */
import type { Answer, Api } from '../../support/api.js'

/** Where an operation is tried. */
export interface World {
  /** with a key that may write here */
  api: Api
  /** nobody else uses it */
  project: string
  /** a text to put into what is stored: who sees it has read this project */
  secret: string
}

/** A request apart from its path. Entity and project of a path are those of the world. */
export interface Sent {
  /** another one than the operation's */
  method?: string
  params?: Record<string, string>
  query?: Record<string, string>
  /** an object goes as JSON, bytes and text as they are */
  body?: object | string
  headers?: Record<string, string>
}

export interface Refused extends Sent {
  why: string
  status: number
  /** of a 422 with `detail`: the place it names, dotted; `{reason}` is expected where there is none */
  at?: string
  /** sent without a key */
  anonymous?: boolean
}

export interface Case {
  valid: Sent
  /** the same request as the server's OpenAPI describes it, where its body is no JSON */
  described?: { type: string; body: object }
  /** throws unless the answer, or what other routes now read, shows that the request did what it should */
  effect: (answer: Answer) => void | Promise<void>
  invalid: readonly [Refused, ...Refused[]]
}

/** What a caller must be allowed to do: nothing, to have a key, or to read or write the project. */
export type Right = 'public' | 'key' | 'read' | 'write'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** as the interface writes it */
  path: string
  right: Right
  /** Stores what the requests need and makes them. */
  make: (world: World) => Promise<Case> | Case
}

/** One row. */
export function operation(
  method: Operation['method'],
  path: string,
  right: Right,
  make: Operation['make'],
): Operation {
  return { method, path, right, make }
}

/** `METHOD /path`, as the contract's list has it. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

/** The path and query that a request of an operation goes to. */
export function targetOf({ path }: Operation, project: string, sent: Sent): string {
  const [entity = '', name = ''] = project.split('/')
  const params: Record<string, string> = { entity, project: name, ...sent.params }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  return sent.query === undefined ? filled : `${filled}?${new URLSearchParams(sent.query)}`
}

/** Where the user name must be the project. */
export const LANGFUSE = /^\/api\/public\/(?!otel\/)/

/** Sends a request of an operation, valid or not. */
export function send(api: Api, row: Operation, project: string, sent: Sent): Promise<Answer> {
  const known = LANGFUSE.test(row.path) ? api.asUser(project) : api
  return known.send(sent.method ?? row.method, targetOf(row, project, sent), sent.body, sent.headers)
}

/** The JSON of an answer. */
export function json<T = Record<string, unknown>>(answer: Answer): T {
  return JSON.parse(answer.text) as T
}
