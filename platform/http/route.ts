/**
 * A route's declaration: the single source of its validation, types, OpenAPI entry and docs. Services bind handlers to
 * declarations; this file knows neither.
 */
import type { z } from 'zod'
import type { HeddleError } from '../errors/error.js'
import type { Principal } from './principal.js'

/** The right that a route requires. `public` routes need no key. */
export type Access = 'public' | 'read' | 'write' | 'admin'

/** Where a JSON request names its project; rights are checked in one place. `handler`: the handler does it. */
export type ProjectIn = 'body' | 'path' | 'query' | 'handler' | 'none'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a line of the audit log is about. */
export const AUDIT_CATEGORIES = [
  'access',
  'secrets',
  'settings',
  'deletion',
  'export',
  'labels',
  'training',
  'automation',
] as const
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number]

/** That a route's use is written to the audit log. */
export interface Audit {
  category: AuditCategory
  /**
   * parts of the request that name what it is done to, such as `body.alert`; never secrets, keys, addresses or texts of
   * users
   */
  names?: readonly string[]
  /**
   * one line, once it is done and before it is answered, and none if it fails: for routes that anybody may call, and whose
   * effect nobody has without the answer; else a line before and a line after
   */
  once?: true
}

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
  /** other paths that published clients use; they behave the same and are not in the docs */
  aliases?: readonly string[]
  tag: string
  summary: string
  access: Access
  project: ProjectIn
  params?: Params
  query?: Query
  /** schema of a JSON body; on `raw` routes it only documents what the handler decodes */
  body?: Body
  /** its use is written to the audit log */
  audit?: Audit
  /** the handler gets the body's bytes, unparsed (hot writes, uploads, lossless JSON) */
  raw?: boolean
  /** the handler reads the body as a stream, in bounded memory; `body` documents it */
  streamed?: boolean
  /** allowed content types of a raw body; default JSON */
  consumes?: readonly string[]
  /** the handler inflates the body itself; else gzip and deflate are inflated before it is called */
  encoded?: boolean
  /** most bytes of a body, inflated too; default 4 MiB parsed, 32 MiB raw */
  maxBytes?: number
  /** most JSON values of a parsed body; default 65,536 */
  maxValues?: number
  /**
   * why requests don't count against the concurrency limits of key and entity; absent: they count, as reads or as
   * writes, unless the binding has its own admission
   */
  unlimited?: string
  /** a public route that takes a key in its body, and may answer 401 */
  takesKey?: true
  /** a public route whose address is signed, and may answer 403 */
  signed?: true
  answer: Answer
  /** of a success; default 200. The handler says it too */
  status?: 201 | 204
  /** content type of a success; `application/jsonl` means one `answer` per line */
  produces?: string
  /** other content types of a success, on request */
  producesToo?: readonly string[]
  /** headers that the handler reads; documented here, checked by the handler */
  headers?: z.ZodType
  /** supports `Range` headers: 206, or 416 */
  ranges?: boolean
  /** the body of this route's error answers; default: that of its app */
  errorBody?: ErrorBody
  /**
   * where a browser is sent instead of an error answer, by the error's code: of addresses that browsers are sent to by other
   * sites, or by a link
   */
  errorPage?: (code: string) => string
}

/**
 * Identifies the caller of a route, with the rights that it has there.
 * @param address tells where it comes from, as far as the connection shows
 */
export type Authenticate = (
  headers: ReadonlyMap<string, string>,
  spec: RouteSpec,
  address: () => string,
) => Principal | Promise<Principal>

/** Makes the body of an error answer. */
export type ErrorBody = (error: HeddleError) => Record<string, unknown>

/** Most bytes of a route's body, inflated too. */
export function bodyLimit({ maxBytes, raw }: RouteSpec): number {
  return maxBytes ?? (raw ? 32 : 4) * 2 ** 20
}

/** Every path of a route. */
export function pathsOf({ path, aliases = [] }: RouteSpec): string[] {
  return [path, ...aliases]
}

/** Declares a route. Does nothing at run time: it exists so that types follow from the schemas. */
export function route<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUnknown,
>(spec: RouteSpec<Params, Query, Body, Answer>): RouteSpec<Params, Query, Body, Answer> {
  return spec
}
