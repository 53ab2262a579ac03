/**
 * Generates the OpenAPI 3.1 document of a set of route declarations; only what applies to every route is written by
 * hand. Schemas with an id become components.
 */
import { z } from 'zod'
import { bodyLimit, type RouteSpec } from '../platform/http/route.js'
import { DESCRIPTIONS } from './descriptions.js'

export type Json = Record<string, unknown>

export interface About {
  title: string
  version: string
  description: string
}

/** The document; throws if two different answer schemas share an id. */
export function openApiDocument(routes: readonly RouteSpec[], about: About): Json {
  const schemas = new Components()
  // Answers first: if a schema differs between input and output, the output keeps the plain name.
  const answers = new Map(routes.map((route) => [route, schemas.take(route.answer, 'output')] as const))
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = paths[route.path] ?? {}
    paths[route.path] = path
    path[route.method.toLowerCase()] = operation(route, answers.get(route)!, schemas)
  }
  return {
    openapi: '3.1.0',
    info: about,
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries([...schemas.all].sort(([a], [b]) => (a < b ? -1 : 1))),
        ...errorSchemas,
      },
      responses: errorResponses,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'any user name; the API key is the password' },
        bearer: { type: 'http', scheme: 'bearer', description: 'the API key' },
      },
    },
  }
}

function operation(route: RouteSpec, answer: Json, schemas: Components): Json {
  const parameters = [
    ...parametersOf(route.params, 'path', schemas),
    ...parametersOf(route.query, 'query', schemas),
    ...parametersOf(route.headers, 'header', schemas),
    ...(route.ranges ? [RANGE] : []),
  ]
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(DESCRIPTIONS[route.id] !== undefined && { description: DESCRIPTIONS[route.id] }),
    ...(parameters.length > 0 && { parameters }),
    ...((route.body || route.raw) && { requestBody: requestBody(route, schemas) }),
    responses: {
      [route.status ?? 200]: success(route, answer),
      ...(route.ranges && { 206: part(route, answer) }),
      ...(route.errorPage === undefined ? failures(route) : ELSEWHERE),
    },
    security: route.access === 'public' ? [] : [{ basic: [] }, { bearer: [] }],
    ...(route.access !== 'public' && { 'x-right': route.access }),
  }
}

/** Of routes that browsers go to: success and failure may both send them on. */
const ELSEWHERE = {
  303: { description: 'where to go, or the page that says what is wrong' },
  431: { $ref: '#/components/responses/TooLong' },
}

const RANGE = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'the wanted part of the content',
  schema: { type: 'string', examples: ['bytes=0-1023'] },
}

function parametersOf(
  schema: z.ZodType | undefined,
  location: 'path' | 'query' | 'header',
  schemas: Components,
): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.inline(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }))
}

function requestBody(route: RouteSpec, schemas: Components): Json {
  const schema = route.body ? schemas.take(route.body, 'input') : {}
  const types = route.consumes ?? ['application/json']
  const contentOf = (type: string) => ({
    schema: /json$|^multipart\/|urlencoded$/.test(type) ? schema : { contentMediaType: type },
  })
  // An empty protobuf message has no bytes.
  const required = !types.some(isBinary)
  return {
    required,
    'x-max-bytes': bodyLimit(route),
    content: Object.fromEntries(types.map((type) => [type, contentOf(type)])),
  }
}

function success(route: RouteSpec, answer: Json): Json {
  const type = route.produces ?? 'application/json'
  const lines = areLines(type)
  // The types that `accept` may select; see platform/http/accept.ts.
  const types = [type, ...(lines ? ['application/x-ndjson'] : (route.producesToo ?? []))]
  const content = types.map((type) => [type, answerContent(type, answer)])
  return { description: lines ? 'a stream of JSON lines' : 'done', content: Object.fromEntries(content) }
}

function answerContent(type: string, answer: Json): Json {
  if (!areLines(type)) return { schema: isBinary(type) ? { contentMediaType: type } : answer }
  return {
    schema: { type: 'string', description: 'one JSON value per line' },
    'x-json-lines': true,
    'x-item-schema': answer,
  }
}

const areLines = (type: string) => /jsonl|ndjson/.test(type)
const isBinary = (type: string) => /protobuf|octet-stream/.test(type)

/** The answer to a `Range` header. */
function part(route: RouteSpec, answer: Json): Json {
  return {
    ...success(route, answer),
    description: 'the requested part',
    headers: {
      'Content-Range': {
        schema: { type: 'string' },
        description: 'the position of these bytes, and the total size',
      },
    },
  }
}

/** The possible failures of a route, by status. */
function failures(route: RouteSpec): Json {
  const takesInput = route.body ?? route.params ?? route.query
  const names: Record<string, keyof typeof errorResponses | false> = {
    400: 'BadRequest',
    401: (route.access !== 'public' || route.takesKey === true) && 'NoKey',
    403: (route.access !== 'public' || route.signed === true) && 'NoRight',
    404: 'NotFound',
    409: route.method !== 'GET' && 'Conflict',
    413: (route.body !== undefined || route.raw === true) && 'TooLarge',
    415: (route.body !== undefined || route.raw === true) && 'BadMediaType',
    416: route.ranges === true && 'BadRange',
    422: takesInput !== undefined && 'Invalid',
    429: 'ShareUsed',
    431: (route.params ?? route.query) !== undefined && 'TooLong',
    500: 'Internal',
    502: 'LimitHit',
    503: 'Unavailable',
    504: 'TooSlow',
  }
  return Object.fromEntries(
    Object.entries(names).flatMap(([status, name]) =>
      name ? [[status, { $ref: `#/components/responses/${name}` }]] : [],
    ),
  )
}

const errorSchemas = {
  Problem: {
    type: 'object',
    required: ['reason'],
    properties: {
      reason: { type: 'string', description: 'what is wrong and what to do' },
      code: { type: 'string', description: 'a stable code for programs' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: { type: 'array', items: { type: 'string' } },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
        },
      },
      reason: { type: 'string', description: 'instead of detail, for an invalid name or an unknown field' },
    },
  },
}

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const errorResponses = {
  BadRequest: problem('The request, or a value in it, is invalid.'),
  NoKey: problem('The API key is missing, unknown or revoked.'),
  NoRight: problem(
    'The API key has no right to do this in this project, or the signature of the address is not valid.',
  ),
  NotFound: problem('Not found, or deleted.'),
  Conflict: problem('The request conflicts with stored data, for example by another digest.'),
  TooLarge: problem('The body is too large, or has too many items.'),
  BadMediaType: problem('The route does not support the content type or encoding.'),
  BadRange: problem('The requested part is beyond the end of the content.'),
  Invalid: {
    description: 'The request does not match its schema.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
  },
  TooLong: { description: 'The address and the headers are longer than 32 KiB.' },
  ShareUsed: problem('The project uses its full share of the service; wait for Retry-After.'),
  Internal: problem('The service failed.'),
  LimitHit: problem('The query exceeded a limit of the store.'),
  Unavailable: problem('The store or the service is unavailable or overloaded; wait for Retry-After.'),
  TooSlow: problem('The query took too long.'),
}

/** Converts schemas to JSON Schema; those with an id are collected once and referenced. */
class Components {
  readonly all = new Map<string, Json>()
  /** converted schemas with references by id, to tell whether two conversions are equal */
  private readonly sources = new Map<string, string>()

  /** Returns the schema, or a reference to it. */
  take(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { whole, defs } = convert(schema, io)
    const names = this.namesFor(defs, io)
    for (const [id, def] of Object.entries(defs)) {
      const name = names.get(id)!
      this.sources.set(name, JSON.stringify(def))
      this.all.set(name, renamed(def, names))
    }
    return renamed(whole, names)
  }

  /** Returns the schema itself, where a reference is not allowed. */
  inline(schema: z.ZodType): Json {
    const taken = this.take(schema, 'input')
    const ref = taken.$ref
    return typeof ref === 'string' ? this.all.get(ref.slice(ref.lastIndexOf('/') + 1))! : taken
  }

  /** Component names by id: an input schema gets its own name if it, or a schema inside it, differs. */
  private namesFor(defs: Record<string, Json>, io: 'input' | 'output'): Map<string, string> {
    const differs = new Set(
      Object.entries(defs).flatMap(([id, def]) => {
        const before = this.sources.get(id)
        return before === undefined || before === JSON.stringify(def) ? [] : [id]
      }),
    )
    if (io === 'output' && differs.size > 0)
      throw new Error(`two schemas have the id ${[...differs].join(', ')}`)
    for (let grew = differs.size > 0; grew; ) {
      grew = false
      for (const [id, def] of Object.entries(defs)) {
        if (differs.has(id) || !this.sources.has(id)) continue
        if (references(def).some((inner) => differs.has(inner))) {
          differs.add(id)
          grew = true
        }
      }
    }
    return new Map(Object.keys(defs).map((id) => [id, differs.has(id) ? `${id}Input` : id]))
  }
}

const DEFS = '#/$defs/'

function convert(schema: z.ZodType, io: 'input' | 'output'): { whole: Json; defs: Record<string, Json> } {
  // Wrap it in an object, so that a schema with an id becomes a definition like any other.
  const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The bounds of safe integers don't help a reader.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // Answers may gain keys later.
      const closed = zodSchema._zod.def.type === 'object' && 'catchall' in zodSchema._zod.def
      if (io === 'output' && jsonSchema.additionalProperties === false && !closed)
        delete jsonSchema.additionalProperties
      delete jsonSchema.id
    },
  })
  return { whole: (properties?.it ?? {}) as Json, defs: ($defs ?? {}) as Record<string, Json> }
}

function references(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(references)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value.slice(DEFS.length)] : references(value),
  )
}

function renamed<T>(node: T, names: ReadonlyMap<string, string>): T {
  if (Array.isArray(node)) return node.map((item) => renamed(item, names)) as T
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => {
    if (key !== '$ref' || typeof value !== 'string') return [key, renamed(value, names)]
    const id = value.slice(DEFS.length)
    return [key, `#/components/schemas/${names.get(id) ?? id}`]
  })
  return Object.fromEntries(entries) as T
}
