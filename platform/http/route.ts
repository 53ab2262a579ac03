/**
 * A route's declaration: the one source of its validation, its types, its OpenAPI entry and its docs. Services bind
 * handlers to declarations; this file knows neither.
 */
import type { z } from 'zod'

/** What a caller must be allowed to do. `public` routes need no key. */
export type Access = 'public' | 'read' | 'write' | 'admin'

/** Where a JSON request names its project, so that rights are checked in one place. `handler`: the handler does it. */
export type ProjectIn = 'body' | 'path' | 'query' | 'handler' | 'none'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface RouteSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** stable name, the OpenAPI operationId */
  id: string
  method: Method
  /** as OpenAPI writes it: `/v2/{entity}/{project}/calls/complete` */
  path: string
  /** other paths that published clients know it by: the same in everything, and not in the docs */
  aliases?: readonly string[]
  tag: string
  summary: string
  access: Access
  project: ProjectIn
  params?: Params
  query?: Query
  /** schema of a JSON body; with `raw` it documents what the handler decodes by itself */
  body?: Body
  /** the handler gets the body's bytes and this layer parses nothing (hot writes, uploads, lossless JSON) */
  raw?: boolean
  /** the handler reads the body as it comes, in bounded memory; `body` documents it */
  streamed?: boolean
  /** content types a raw body may have; default JSON */
  consumes?: readonly string[]
  /** the handler undoes content encodings itself; else gzip and deflate are undone before it is called */
  encoded?: boolean
  /** most bytes of a body, also when inflated; default 4 MiB parsed, 32 MiB raw */
  maxBytes?: number
  /** most JSON values of a parsed body; default 65,536 */
  maxValues?: number
  /**
   * why requests are not counted against what a key and an entity may have under way; absent: they are, as reads or as
   * writes, unless the binding brings an admission of its own
   */
  unlimited?: string
  answer: Answer
  /** content type of a success; `application/jsonl` answers are one `answer` a line */
  produces?: string
  /** others that a success has where the request asks for them */
  producesToo?: readonly string[]
  /** headers that the handler reads: described here, checked there */
  headers?: z.ZodType
  /** a `Range` header is answered: 206, or 416 */
  ranges?: boolean
}

/** Most bytes of a route's body, also when inflated. */
export function bodyLimit({ maxBytes, raw }: RouteSpec): number {
  return maxBytes ?? (raw ? 32 : 4) * 2 ** 20
}

/** Every path that a route is served under. */
export function pathsOf({ path, aliases = [] }: RouteSpec): string[] {
  return [path, ...aliases]
}

/** Declares a route. Checks nothing at run time: it exists so that types flow from the schemas. */
export function route<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUnknown,
>(spec: RouteSpec<Params, Query, Body, Answer>): RouteSpec<Params, Query, Body, Answer> {
  return spec
}
