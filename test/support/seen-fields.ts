/** Which fields of answers have been seen with a value, by the description that the server gives of them. */
import { expect } from 'vitest'

type Json = Record<string, unknown>
interface Schema extends Json {
  $ref?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
}
export interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { schema: Schema }> }> }>
  >
  components: { schemas: Record<string, Schema> }
}

export class SeenFields {
  private readonly fields = new Map<string, boolean>()

  constructor(private readonly description: Description) {}

  /** Looks at an answer of `method` `path`. @throws if it lacks a field that is described */
  look(method: string, path: string, answer: unknown): void {
    const { schema } =
      this.description.paths[path]![method.toLowerCase()]!.responses['200']!.content['application/json']!
    this.walk(schema, answer, path)
  }

  /** Fields that were null, or empty, in all answers. */
  get empty(): string[] {
    return [...this.fields].flatMap(([field, isSeen]) => (isSeen ? [] : [field])).sort()
  }

  private walk(described: Schema, value: unknown, place: string): void {
    for (const schema of this.forms(described)) {
      if (schema.properties && isObject(value)) this.object(schema.properties, value, place)
      else if (schema.items && Array.isArray(value))
        for (const one of value) this.walk(schema.items, one, `${place}[]`)
      else if (isObject(schema.additionalProperties) && isObject(value))
        for (const one of Object.values(value)) this.walk(schema.additionalProperties, one, `${place}{}`)
    }
  }

  private object(properties: Record<string, Schema>, value: Json, place: string): void {
    for (const [name, schema] of Object.entries(properties)) {
      const field = `${place}.${name}`
      expect([field, Object.hasOwn(value, name)]).toEqual([field, true])
      this.fields.set(field, this.fields.get(field) === true || isSaid(value[name]))
      this.walk(schema, value[name], field)
    }
  }

  private forms(schema: Schema): Schema[] {
    if (schema.$ref) return this.forms(this.description.components.schemas[schema.$ref.split('/').at(-1)!]!)
    return schema.anyOf ? schema.anyOf.flatMap((one) => this.forms(one)) : [schema]
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSaid(value: unknown): boolean {
  if (value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
