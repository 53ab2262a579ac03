/** What the OpenAPI document says of a route, read for people. Pure. */

import type { ApiDocument, Operation, Schema } from '../../api/open-api'

export interface Listed {
  method: string
  path: string
  operation: Operation
}

/** The routes with all words of `typed`, by their tags, in the document's order. */
export function groupsOf({ tags, paths }: ApiDocument, typed: string): [tag: string, routes: Listed[]][] {
  const groups = new Map<string, Listed[]>(tags.map(({ name }) => [name, []]))
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { summary = '', tags: own, operationId: id } = operation
      const words = `${method} ${path} ${summary} ${own.join(' ')} ${id}`.toLowerCase()
      if (hasWords(words, typed)) groups.get(own[0]!)!.push({ method: method.toUpperCase(), path, operation })
    }
  return [...groups].filter(([, routes]) => routes.length > 0)
}

/** Whether all words of a text, in any order, are in `words`. */
export const hasWords = (words: string, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
const variantsOf = ({ anyOf, oneOf, allOf }: Schema) => anyOf ?? oneOf ?? allOf
const isNull = ({ type }: Schema) => type === 'null'

/** A schema without references at its top. */
export function resolved(of: ApiDocument, schema: Schema): Schema {
  let here: Schema | undefined = schema
  for (let steps = 0; here?.$ref !== undefined && steps < 20; steps++)
    here = of.components.schemas[nameOf(here.$ref)]
  return here ?? {}
}

/** What an answer of an error means. */
export const meaningOf = (of: ApiDocument, { $ref = '' }: { $ref?: string }): string =>
  of.components.responses[nameOf($ref)]?.description ?? ''

/** What a value is, in a word: `string`, `Call[]`, `"a" | "b"`. */
export function typeName(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  const some = variantsOf(schema)
  if (some) return some.map(typeName).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `${typeName(schema.items ?? {})}[]`
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return schema.format ?? schema.contentMediaType ?? schema.type ?? 'any'
}

/** The schema whose fields a value has: its own, those of what its list holds, or of the first variant that has some. */
export function withFields(of: ApiDocument, schema: Schema): Schema | undefined {
  const here = resolved(of, schema)
  if (here.properties) return here
  if (here.items) return withFields(of, here.items)
  for (const variant of (variantsOf(here) ?? []).filter((one) => !isNull(one))) {
    const found = withFields(of, variant)
    if (found) return found
  }
  return undefined
}

/** Fields deeper than this are left empty. */
const DEEPEST = 4

/** A value to begin with: its required fields, with what the document says of them. */
export function exampleOf(of: ApiDocument, schema: Schema, depth = 0): unknown {
  const here = resolved(of, schema)
  if (here.examples) return here.examples[0]
  if (here.default !== undefined) return here.default
  if (here.const !== undefined) return here.const
  if (here.enum) return here.enum[0]
  const some = variantsOf(here)
  if (some) return some.some(isNull) ? null : exampleOf(of, some[0]!, depth)
  if (here.properties) {
    if (depth > DEEPEST) return {}
    const required = Object.entries(here.properties).filter(([name]) => here.required?.includes(name))
    return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(of, field, depth + 1)]))
  }
  if (here.type === 'array') return depth > DEEPEST ? [] : [exampleOf(of, here.items ?? {}, depth + 1)]
  if (here.type === 'integer' || here.type === 'number') return here.minimum ?? 0
  if (here.type === 'boolean') return false
  if (here.format === 'date-time') return new Date().toISOString()
  return here.type === 'string' ? 'string' : {}
}
