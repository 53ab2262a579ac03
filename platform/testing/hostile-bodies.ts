/**
 * Bodies made to keep a server busy, from the schema of a route's body: each place of it in turn holds something long,
 * wide or deep, right or wrong in kind, while the rest is as the schema wants it.
 */

/** A JSON schema as an OpenAPI document has it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  minLength?: number
  minItems?: number
  pattern?: string
  format?: string
}

export interface Hostile {
  name: string
  /** JSON text */
  body: string
}

/** Bytes of a body that nothing refuses for its length alone, and values of one that nothing refuses for their number. */
const BYTES = 3_900_000
const VALUES = 60_000

/** What takes the place of a value, as JSON text. */
const FILLINGS: Record<string, (valid: string) => string> = {
  'a list of numbers': () => list('1'),
  'a list of empty objects': () => list('{}'),
  'a list of lists': () => list('[[],[]]'),
  'a list of long texts': () => list(`"${'ab'.repeat(30)}"`),
  'a list of what it should hold': (valid) => list(valid),
  'many keys': () => wide((n) => `"k${n}":1`),
  'a long text': () => `"${'x'.repeat(BYTES)}"`,
  'a long text of escapes': () => `"${'\\u00e9'.repeat(BYTES / 6)}"`,
  'deep objects, many': () => list(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
}

/** Fillings by their kind and what is valid there: they are long, and the same for most places of most routes. */
const made = new Map<string, string>()

function filling(what: string, valid: string): string {
  const key = `${what} ${what.includes('it should hold') ? valid : ''}`
  const found = made.get(key) ?? FILLINGS[what]!(valid)
  if (made.size < 100) made.set(key, found)
  return found
}

/** A list as long as both limits let it be. */
function list(item: string): string {
  const values = 1 + (item.match(/[[{,]/g)?.length ?? 0)
  const length = Math.min(BYTES / (item.length + 1), VALUES / values)
  return `[${Array(Math.max(1, Math.floor(length)))
    .fill(item)
    .join(',')}]`
}

function wide(member: (n: number) => string): string {
  return `{${Array.from({ length: VALUES }, (_, n) => member(n)).join(',')}}`
}

/** How deep places are looked for: deeper ones are of the same kinds. */
const DEEPEST = 3
const MARK = '\u0001'

/**
 * @param named values of properties by their names, where the schema says too little (a project that exists)
 */
export class HostileBodies {
  constructor(
    private readonly schemas: Record<string, Schema>,
    private readonly named: Record<string, unknown>,
  ) {}

  *of(schema: Schema): Generator<Hostile> {
    const seen = new Set<string>()
    for (const [path, at] of this.pathsOf(schema, [], 0)) {
      // Two texts, or two lists of one kind, cost alike.
      const { description: _, title: __, default: ___, ...kind } = at as Record<string, unknown>
      const sign = JSON.stringify(kind)
      if (seen.has(sign)) continue
      seen.add(sign)
      const items = this.kinds(at).find((one) => one.items)?.items
      const valid = JSON.stringify(items ? this.valid(items) : this.valid(at)) ?? 'null'
      const text = JSON.stringify(set(this.valid(schema), path, MARK))
      for (const what of Object.keys(FILLINGS)) {
        const body = text.replace(JSON.stringify(MARK), () => filling(what, valid))
        yield { name: `${what} at ${path.join('.') || 'the root'}`, body }
      }
    }
  }

  private *pathsOf(schema: Schema, path: string[], depth: number): Generator<[string[], Schema]> {
    yield [path, schema]
    if (depth >= DEEPEST) return
    const seen = new Set<string>()
    for (const kind of this.kinds(schema)) {
      for (const [name, property] of Object.entries(kind.properties ?? {})) {
        if (seen.has(name)) continue
        seen.add(name)
        yield* this.pathsOf(property, [...path, name], depth + 1)
      }
      if (kind.items && !seen.has('0')) {
        seen.add('0')
        yield* this.pathsOf(kind.items, [...path, '0'], depth + 1)
      }
    }
  }

  /** A schema without references, and its alternatives. */
  private kinds(schema: Schema, depth = 0): Schema[] {
    if (depth > 6) return []
    const { $ref, anyOf, oneOf, allOf } = schema
    if ($ref !== undefined) return this.kinds(this.schemas[$ref.split('/').at(-1)!] ?? {}, depth + 1)
    const others = anyOf ?? oneOf ?? allOf
    return others ? others.flatMap((other) => this.kinds(other, depth + 1)) : [schema]
  }

  /** A small value that fits. */
  private valid(schema: Schema, depth = 0): unknown {
    const kinds = this.kinds(schema)
    const kind = kinds.find(({ type }) => type !== 'null') ?? {}
    if (kind.const !== undefined) return kind.const
    if (kind.enum) return kind.enum[0]
    const type = Array.isArray(kind.type) ? kind.type[0] : kind.type
    if (type === 'object' || kind.properties) {
      const object: Record<string, unknown> = {}
      for (const name of depth > DEEPEST ? [] : (kind.required ?? []))
        object[name] = this.named[name] ?? this.valid(kind.properties?.[name] ?? {}, depth + 1)
      if (depth === 0 && kind.properties?.project_id) object.project_id = this.named.project_id
      return object
    }
    if (type === 'array')
      return (kind.minItems ?? 0) > 0 && kind.items ? [this.valid(kind.items, depth + 1)] : []
    if (type === 'string')
      return kind.format === 'date-time' ? '2026-01-01T00:00:00Z' : 'x'.repeat(kind.minLength ?? 1)
    if (type === 'number' || type === 'integer') return kind.minimum ?? 1
    if (type === 'boolean') return true
    return {}
  }
}

/** `value` with something else at `path`. */
function set(value: unknown, path: readonly string[], inner: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return inner
  if (name === '0') return [set(Array.isArray(value) ? value[0] : undefined, rest, inner)]
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [name]: set((object as Record<string, unknown>)[name], rest, inner) }
}
