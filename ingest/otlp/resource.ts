/** The resource of a block of spans: its JSON text for each span's dump, and the project it names. */
import { StringColumn } from '../../domain/calls/column.js'
import { MAX_LABEL } from '../../domain/calls/labels.js'
import { LABELS, RESOURCE_KEYS, RESOURCE_LABELS } from '../../domain/conventions/table.js'
import { unescapedAt } from '../../platform/json/text.js'
import { Lru } from '../../platform/lru/lru.js'
import { RESOURCE, SCOPE } from '../../proto/otlp/tags.js'
import { flatNestingOf, nestingOf } from './attribute-plan.js'
import { Attributes } from './attributes.js'
import { BadMessage } from './bad.js'
import { NO_LABELS, type ResourceLabels } from './labels.js'
import type { Nesting } from './nesting.js'
import { writeNatural } from './number.js'
import { writeString } from './text.js'
import type { Wire } from './wire.js'

export interface Resource {
  /** JSON object, or `null`. */
  readonly text: Buffer
  /** `entity/project`, if the resource names both; not checked. */
  readonly project: string | undefined
  readonly labels: ResourceLabels
}

export const NO_RESOURCE: Resource = { text: Buffer.from('null'), project: undefined, labels: NO_LABELS }

const LABEL_KEYS = RESOURCE_LABELS.map((name) => LABELS[name].map(([key]) => key))

/** What a scope is when a block has none. */
export const NO_SCOPE: Buffer = Buffer.from('null')

interface Layout {
  readonly nesting: Nesting
  /** By key of the project, the attribute's number. */
  readonly numbers: ReadonlyMap<string, number>
}

const MAX_CACHED = 256
const MAX_CACHED_BYTES = 8192

/** Reads resources and scopes. Clients send the same few for ever, so the last ones are kept. */
export class ResourceReader {
  readonly #attributes = new Attributes<Layout>(layoutOf)
  readonly #text = new StringColumn()
  readonly #resources = new Lru<Resource>(MAX_CACHED)
  readonly #scopes = new Lru<Buffer>(MAX_CACHED)

  /** The Resource message `[from, end)`. @throws BadMessage, and BadSpan if a value can't be written */
  resource(wire: Wire, from: number, end: number): Resource {
    return cached(this.#resources, wire, from, end, () => this.#resource(wire, from, end))
  }

  #resource(wire: Wire, from: number, end: number): Resource {
    const attributes = this.#attributes
    attributes.clear()
    let dropped = 0
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if (tag === RESOURCE.attributes) {
        const length = wire.length(pos, end)
        pos = wire.pos + length
        attributes.add(wire, wire.pos, pos)
      } else if (tag === RESOURCE.droppedAttributesCount) {
        dropped = wire.varint(pos)
        pos = wire.pos
      } else pos = wire.skip(tag, pos)
    }
    if (pos !== end) throw new BadMessage('a resource goes beyond its end')
    const { nesting, numbers } = attributes.compiled(wire.buf)
    const out = this.#emptied()
    out.utf8('{"attributes":')
    attributes.write(out, wire, nesting)
    if (dropped > 0) {
      out.utf8(',"dropped_attributes_count":')
      writeNatural(out, dropped)
    }
    out.byte(125)
    const entity = this.#first(RESOURCE_KEYS.entity, numbers)
    const project = this.#first(RESOURCE_KEYS.project, numbers)
    const labels = LABEL_KEYS.map((keys) => (this.#first(keys, numbers) ?? '').slice(0, MAX_LABEL))
    return {
      text: Buffer.from(out.buf.subarray(0, out.pos)),
      project: entity === undefined || project === undefined ? undefined : `${entity}/${project}`,
      labels: labels.every((label) => label === '') ? NO_LABELS : labels,
    }
  }

  /** The first of `keys` that is a text which isn't empty. */
  #first(keys: readonly string[], numbers: ReadonlyMap<string, number>): string | undefined {
    const { textFroms, textTos } = this.#attributes
    const { buf } = this.#text
    for (const key of keys) {
      const i = numbers.get(key)
      if (i === undefined || buf[textFroms[i]!] !== 34) continue
      const value = unescapedAt(buf, textFroms[i]! + 1, textTos[i]! - 1)
      if (value !== '') return value
    }
    return undefined
  }

  /** The text of the InstrumentationScope message `[from, end)`. @throws BadMessage */
  scope(wire: Wire, from: number, end: number): Buffer {
    return cached(this.#scopes, wire, from, end, () => this.#scope(wire, from, end))
  }

  #scope(wire: Wire, from: number, end: number): Buffer {
    let nameFrom = 0
    let nameTo = 0
    let versionFrom = 0
    let versionTo = 0
    let pos = from
    while (pos < end) {
      const tag = wire.tag(pos)
      pos = wire.pos
      if (tag !== SCOPE.name && tag !== SCOPE.version) {
        pos = wire.skip(tag, pos)
        continue
      }
      const length = wire.length(pos, end)
      const at = wire.pos
      pos = at + length
      if (tag === SCOPE.name) [nameFrom, nameTo] = [at, pos]
      else [versionFrom, versionTo] = [at, pos]
    }
    if (pos !== end) throw new BadMessage('a scope goes beyond its end')
    const out = this.#emptied()
    out.utf8('{"name":')
    writeString(out, wire.view, nameFrom, nameTo)
    out.utf8(',"version":')
    writeString(out, wire.view, versionFrom, versionTo)
    out.byte(125)
    return Buffer.from(out.buf.subarray(0, out.pos))
  }

  #emptied(): StringColumn {
    this.#text.rewind(0, 0)
    return this.#text
  }
}

/** A resource must not spoil its spans, so keys that don't nest stay as they are. */
function layoutOf(keys: string[]): Layout {
  const nesting = nestingOf(keys)
  return {
    nesting: typeof nesting === 'string' ? flatNestingOf(keys) : nesting,
    numbers: new Map(keys.map((key, i) => [key, i])),
  }
}

function cached<T>(cache: Lru<T>, wire: Wire, from: number, end: number, read: () => T): T {
  if (end - from > MAX_CACHED_BYTES) return read()
  const key = wire.buf.toString('latin1', from, end)
  let value = cache.get(key)
  if (value === undefined) {
    value = read()
    cache.set(key, value)
  }
  return value
}
