import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createReads } from '../../cli/serve/reads.js'
import { type Json, openApiDocument } from '../../contract/openapi.js'
import { Store } from '../../platform/clickhouse/store.js'
import type { Reply } from '../../platform/http/request.js'
import { type RouteSpec, route } from '../../platform/http/route.js'

/** No route is asked anything that needs the store. */
const { routes } = createReads({ store: new Store({ url: 'http://127.0.0.1:1' }), version: '1.2.3' })

async function served(): Promise<Json> {
  const reply = (await routes.find(({ spec }) => spec.id === 'openapi')!.handle({} as never)) as Reply
  return JSON.parse(reply.body as string) as Json
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(await served())
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  it('has every route, once', async () => {
    const { paths } = (await served()) as { paths: Record<string, Record<string, { operationId: string }>> }
    for (const { spec } of routes)
      expect(paths[spec.path]?.[spec.method.toLowerCase()]?.operationId, spec.path).toBe(spec.id)
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(routes.length)
  })

  it('refers to nothing that is not there', async () => {
    const text = JSON.stringify(await served())
    const doc = JSON.parse(text)
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(doc.components[kind!], name).toHaveProperty(name!)
  })
})

describe('schemas', () => {
  const base = { method: 'POST', tag: 't', summary: '', access: 'read', project: 'none' } as const
  const described = (...specs: RouteSpec[]) =>
    openApiDocument(specs, { title: '', version: '', description: '' }) as {
      paths: Record<string, Record<string, Json>>
      components: { schemas: Record<string, Json> }
    }
  const spec = (path: string, body: z.ZodType, answer: z.ZodType = z.object({}), more = {}) =>
    route({ ...base, id: path, path, body, answer, ...more }) as unknown as RouteSpec

  it('with an id are components, also when they differ on the way in and out', () => {
    const inner = z.object({ n: z.int().default(1) }).meta({ id: 'Inner' })
    const outer = z.object({ inner }).meta({ id: 'Outer' })
    const { components } = described(spec('/a', outer, outer))
    expect(components.schemas).toMatchObject({
      Inner: { required: ['n'] },
      Outer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
      OuterInput: { properties: { inner: { $ref: '#/components/schemas/InnerInput' } } },
    })
    expect(components.schemas.InnerInput).not.toHaveProperty('required')
  })

  it('of two answers can not share an id', () => {
    const one = z.object({ a: z.string() }).meta({ id: 'Same' })
    z.globalRegistry.remove(one)
    const two = z.object({ b: z.string() }).meta({ id: 'Same' })
    z.globalRegistry.add(one, { id: 'Same' })
    expect(() => described(spec('/a', z.object({}), one), spec('/b', z.object({}), two))).toThrow('Same')
  })

  it('of JSON lines and raw bodies are marked', () => {
    const { paths } = described(
      spec('/lines', z.object({}), z.object({ n: z.int() }), { produces: 'application/jsonl' }),
      spec('/raw', z.object({}), z.object({}), {
        raw: true,
        consumes: ['application/x-protobuf', 'application/json'],
      }),
    )
    expect(paths['/lines']!.post).toMatchObject({
      responses: { 200: { content: { 'application/jsonl': { 'x-json-lines': true } } } },
    })
    expect(paths['/raw']!.post).toMatchObject({
      requestBody: {
        content: { 'application/x-protobuf': { schema: { contentMediaType: 'application/x-protobuf' } } },
      },
    })
  })
})
