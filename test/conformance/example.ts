/** Makes a request from the description of an operation, about one project. */
import type { Sent } from './table/operation.js'

export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  $ref?: string
  format?: string
}

/** An operation of an OpenAPI document. */
export interface Described {
  tags: string[]
  /** what a caller needs; absent: nothing */
  'x-right'?: 'read' | 'write' | 'admin'
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The smallest request that the description allows, as far as can be told. */
export function exampleOf(
  { parameters = [], requestBody }: Described,
  schemas: Readonly<Record<string, Schema>>,
  project: string,
): Sent {
  const [entity = '', name = ''] = project.split('/')
  const made = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place && one.required)
        .map((one) => [one.name, String(example(one.schema, schemas, project, one.name))]),
    )
  const body = requestBody?.content['application/json']?.schema
  return {
    params: { ...made('path'), entity, project: name },
    query: made('query'),
    headers: parameters.some((one) => one.in === 'header' && one.name === 'project_id')
      ? { project_id: project }
      : {},
    ...(body && { body: example(body, schemas, project, '') as object }),
  }
}

function example(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  project: string,
  name: string,
): unknown {
  if (name === 'project_id' || name === 'scope') return project
  if (name === 'entity') return project.split('/')[0]
  if (schema.$ref !== undefined)
    return example(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas, project, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (choice !== undefined) return example(choice, schemas, project, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties !== undefined) {
    const needed = schema.required ?? []
    const given = Object.entries(schema.properties ?? {}).filter(([key]) => needed.includes(key))
    return Object.fromEntries(given.map(([key, value]) => [key, example(value, schemas, project, key)]))
  }
  if (type === 'array') return [example(schema.items ?? {}, schemas, project, '')]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (schema.format === 'date-time') return new Date(0).toISOString()
  return 'x'
}
