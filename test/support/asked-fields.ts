/** Which fields the requests of a route have, by the description that the server gives of them. */
type Json = Record<string, unknown>
interface Schema extends Json {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}
export interface Description {
  paths: Record<
    string,
    Record<string, { requestBody: { content: Record<string, { schema: Schema }> } } | undefined>
  >
  components: { schemas: Record<string, Schema> }
}

/**
 * The fields of a route's body: by their place (`sort_by[].field`), the name of the field in its component
 * (`AgentSortBy.field`), which is the same in every place of the component. Queries have tests of their own.
 */
export function askedFields({ paths, components }: Description, method: string, path: string) {
  const fields = new Map<string, string>()
  const walk = (schema: Schema, place: string, owner: string): void => {
    const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    const component = schema.$ref?.split('/').at(-1)
    if (component !== undefined && component !== 'Query')
      walk(components.schemas[component]!, place, place === '' ? '' : `${component}.`)
    for (const form of forms) walk(form, place, owner)
    if (schema.items) walk(schema.items, `${place}[]`, owner)
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      const at = place === '' ? field : `${place}.${field}`
      fields.set(at, `${owner}${field}`)
      walk(inner, at, `${owner}${field}.`)
    }
  }
  walk(paths[path]![method.toLowerCase()]!.requestBody.content['application/json']!.schema, '', '')
  return fields
}

/** A body without the field at a place. */
export function without(body: unknown, place: string): unknown {
  const [, name = '', list, rest = ''] = /^(\w+)(\[\])?\.?(.*)$/.exec(place) ?? []
  const { [name]: value, ...others } = body as Json
  if (rest === '') return others
  const inner = list ? (value as unknown[]).map((one) => without(one, rest)) : without(value, rest)
  return { ...others, [name]: inner }
}
