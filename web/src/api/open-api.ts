/** The description of the interface that serves the page. */
import { queryOptions } from '@tanstack/react-query'
import { get } from './client'

export interface Schema {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
  type?: string | string[]
  format?: string
  contentMediaType?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  minimum?: number
  description?: string
}

type Content = Record<string, { schema?: Schema; 'x-item-schema'?: Schema }>

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  'x-right'?: string
  security: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}

export interface ApiDocument {
  info: { version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, { description: string }> }
}

export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => (await get('/openapi.json', signal)) as unknown as ApiDocument,
})
