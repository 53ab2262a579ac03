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

/** How much a body may hold: by bytes, and by values. */
export interface Most {
  bytes: number
  values: number
}

/** Items of a list that a limit of its own may still let through. */
const A_FEW = 400

/** What a place may hold, as far as its filling goes. */
type Kind = 'list' | 'text' | 'any'

interface Filling {
  /** JSON text in the place of a value. @param valid what fits, or what an item of the list would be */
  fill: (most: Most, valid: string) => string
}

const FILLINGS: Record<string, Filling> = {
  'a list of what it should hold': { fill: (most, valid) => list(most, valid) },
  'some of what it should hold': {
    fill: (most, valid) => list(most, valid, A_FEW),
  },
  'a long text': { fill: ({ bytes }) => `"${'x'.repeat(bytes)}"` },
  'a long text of escapes': { fill: ({ bytes }) => `"${'\\u00e9'.repeat(bytes / 6)}"` },
  'many keys': { fill: (most) => wide(most) },
  'deep objects, many': {
    fill: (most) => list(most, `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
  },
  'a list of numbers': { fill: (most) => list(most, '1') },
  'a list of empty objects': { fill: (most) => list(most, '{}') },
  'a list of lists': { fill: (most) => list(most, '[[],[]]') },
  'a list of long texts': { fill: (most) => list(most, `"${'ab'.repeat(30)}"`) },
}

/** A list as long as all limits let it be; texts in it differ. */
function list({ bytes, values }: Most, item: string, atMost = Number.POSITIVE_INFINITY): string {
  const each = 1 + (item.match(/[[{,]/g)?.length ?? 0)
  const length = Math.max(1, Math.floor(Math.min(bytes / (item.length + 1), values / each, atMost)))
  const some = Math.floor(Math.min(length, bytes / (item.length + 8)))
  const parts = item.includes('"x"')
    ? Array.from({ length: some }, (_, n) => item.replace('"x"', `"x${n}"`))
    : Array<string>(length).fill(item)
  return `[${parts.join(',')}]`
}

function wide({ bytes, values }: Most): string {
  const length = Math.floor(Math.min(values, bytes / 13))
  return `{${Array.from({ length }, (_, n) => `"k${n}":1`).join(',')}}`
}

/** How deep places are looked for: deeper ones are of the same kinds. */
const DEEPEST = 3
interface Place {
  path: string[]
  schema: Schema
}

const MARK = '\u0001'

/** What a free object may hold: what other products' objects have. */
const FREE = { id: 'x', traceId: 'x', parentObservationId: 'x', name: 'x', metadata: { k: 'x' } }

/** Items of a list that speak of each other, by their number. */
const RELATIONS: Record<string, (item: object, i: number, count: number) => unknown> = {
  'of one id, each with a key of its own': (item, i) => withKey(item, `k${i}`),
  'a ring of parents': (item, i, count) => numbered(item, i, (i + 1) % count),
}

/** `value` with one more key in each object that has the key `k`. */
function withKey(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, one]) => [name, withKey(one, key)] as const)
  return Object.fromEntries('k' in value ? [...entries, [key, 1]] : entries)
}

/** `value` with ids of its own, and the next one's as its parent. */
function numbered(value: unknown, own: number, parent: number, name = ''): unknown {
  if (typeof value === 'string' && value === 'x') return `x${/parent/i.test(name) ? parent : own}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, numbered(one, own, parent, key)]))
}

/**
 * @param named values of properties by their names, where the schema says too little (a project that exists)
 */
export class HostileBodies {
  constructor(
    private readonly schemas: Record<string, Schema>,
    private readonly named: Record<string, unknown>,
  ) {}

  /** Every place with every filling. */
  *all(schema: Schema, most: Most): Generator<Hostile> {
    for (const place of this.places(schema))
      for (const name of Object.keys(FILLINGS)) yield this.body(schema, place, name, most)
  }

  /**
   * The worst few: each in the first place whose kind lets it in, else in place of the whole body.
   * @param longest bytes of a text; of other bodies the values count
   */
  *worst(schema: Schema, most: Most, longest: number): Generator<Hostile> {
    yield this.body(schema, this.place(schema, 'any'), 'many keys', most)
    yield this.body(schema, this.place(schema, 'text'), 'a long text', { ...most, bytes: longest })
  }

  /**
   * Bodies that grow with a number: lists of related items, and expressions, as long as `most` allows; each half as long,
   * too.
   */
  *growing(schema: Schema, most: Most): Generator<{ name: string; whole: string; half: string }> {
    for (const { path, schema: at } of this.places(schema)) {
      const items = this.kinds(at).find((one) => one.items)?.items
      if (path.length === 0 || !items || path.includes('query')) continue
      const item = this.full(items)
      if (typeof item !== 'object' || item === null) continue
      const text = JSON.stringify(item)
      const count = Math.floor(Math.min(most.bytes / (text.length + 30), most.values / (commas(text) + 4)))
      for (const [relation, related] of Object.entries(RELATIONS)) {
        const body = (length: number) => {
          const list = Array.from({ length }, (_, i) => related(item, i, length))
          return JSON.stringify(set(this.valid(schema), path, list))
        }
        const name = `${relation}, at ${path.join('.')}`
        yield { name, whole: body(count), half: body(Math.floor(count / 2)) }
      }
    }
    if (!this.kinds(schema).some(({ properties }) => properties?.query)) return
    const one = { $eq: [{ $getField: 'id' }, { $literal: 'x' }] }
    const wrong = { $eq: [{ $getField: 'id' }] }
    const expressions: Record<string, (length: number) => unknown[]> = {
      'a long expression': (length) => Array<unknown>(length).fill(one),
      'a long expression, wrong at its end': (length) => [...Array<unknown>(length).fill(one), wrong],
      'a tower of expressions': (length) => {
        let tower: unknown = one
        for (let i = 0; i < 45; i++) tower = { $and: [...Array<unknown>(length / 45).fill(one), tower] }
        return [tower]
      },
    }
    for (const [name, of] of Object.entries(expressions)) {
      const body = (length: number) =>
        JSON.stringify({ ...(this.valid(schema) as object), query: { $expr: { $and: of(length) } } })
      yield { name, whole: body(1_350), half: body(675) }
    }
  }

  /** The first place that such a thing fits into, else the whole body. */
  private place(schema: Schema, kind: Kind): Place {
    const fits = ({ path, schema: at }: Place) =>
      path.length > 0 && !(path.at(-1)! in this.named) && this.kindsOf(at).has(kind)
    return this.places(schema).find(fits) ?? { path: [], schema }
  }

  private kindsOf(schema: Schema): Set<Kind> {
    const kinds = new Set<Kind>()
    for (const { type, properties, additionalProperties, enum: those } of this.kinds(schema)) {
      const types = [type].flat()
      if (types.includes('array')) kinds.add('list')
      if (types.includes('string') && !those) kinds.add('text')
      const open = additionalProperties !== undefined && additionalProperties !== false
      if (type === undefined ? !properties && !those : types.includes('object') && (open || !properties))
        kinds.add('any')
    }
    return kinds
  }

  private body(schema: Schema, { path, schema: at }: Place, name: string, most: Most): Hostile {
    const items = this.kinds(at).find((one) => one.items)?.items
    const valid = JSON.stringify(items ? this.valid(items) : this.valid(at)) ?? 'null'
    const text = JSON.stringify(set(this.valid(schema), path, MARK))
    const filled = text.replace(JSON.stringify(MARK), () => FILLINGS[name]!.fill(most, valid))
    return { name: `${name} at ${path.join('.') || 'the root'}`, body: filled }
  }

  /** Its places, without those of a kind that was there: two texts, or two lists of one kind, cost alike. */
  private places(schema: Schema): Place[] {
    const seen = new Set<string>()
    return [...this.pathsOf(schema, [], 0)]
      .map(([path, at]) => ({ path, schema: at }))
      .filter(({ schema: at }) => {
        const { description: _, title: __, default: ___, ...kind } = at as Record<string, unknown>
        const sign = JSON.stringify(kind)
        if (seen.has(sign)) return false
        seen.add(sign)
        return true
      })
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

  /** A value with everything that may be there, a few levels deep. */
  private full(schema: Schema, depth = 0): unknown {
    const kind = this.kinds(schema).find(({ type }) => type !== 'null') ?? {}
    const { properties, additionalProperties: open } = kind
    if (properties && depth < DEEPEST)
      return Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [
          key,
          this.named[key] ?? (depth > 0 && !kind.required?.includes(key) ? null : this.full(one, depth + 1)),
        ]),
      )
    const isFree = kind.type === 'object' && !properties && open !== false
    return isFree || (kind.type === undefined && !kind.enum && kind.const === undefined)
      ? FREE
      : this.valid(schema)
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

function commas(text: string): number {
  return text.match(/[,[{]/g)?.length ?? 0
}

/** `value` with something else at `path`. */
function set(value: unknown, path: readonly string[], inner: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return inner
  if (name === '0') return [set(Array.isArray(value) ? value[0] : undefined, rest, inner)]
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [name]: set((object as Record<string, unknown>)[name], rest, inner) }
}
