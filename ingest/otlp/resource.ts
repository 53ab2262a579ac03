/** The resource of a block of spans: its JSON text for each span's dump, and the project it names. */
import { MAX_LABEL } from '../../domain/calls/labels.js'
import { LABELS, RESOURCE_KEYS, RESOURCE_LABELS } from '../../domain/conventions/table.js'
import { objectText } from '../../platform/json/members.js'
import { Lru } from '../../platform/lru/lru.js'
import { RESOURCE, SCOPE } from '../../proto/otlp/tags.js'
import { Attributes } from './attributes.js'
import { NO_LABELS, type ResourceLabels } from './labels.js'
import { treeOf } from './tree.js'
import { stringJson } from './value.js'
import type { Wire } from './wire.js'

export interface Resource {
  /** JSON object, or `null`. */
  readonly text: string
  /** `entity/project`, if the resource names both; not checked. */
  readonly project: string | undefined
  readonly labels: ResourceLabels
}

export const NO_RESOURCE: Resource = { text: 'null', project: undefined, labels: NO_LABELS }

const LABEL_KEYS = RESOURCE_LABELS.map((name) => LABELS[name].map(([key]) => key))

/** What a scope is when a block has none. */
export const NO_SCOPE = 'null'

const MAX_CACHED = 256
const MAX_CACHED_BYTES = 8192

/** Reads resources and scopes. Clients send the same few for ever, so the last ones are kept. */
export class ResourceReader {
  readonly #resources = new Lru<Resource>(MAX_CACHED)
  readonly #scopes = new Lru<string>(MAX_CACHED)

  /** The Resource message `[from, end)`. @throws BadMessage, and BadSpan if a value can't be written */
  resource(wire: Wire, from: number, end: number): Resource {
    return cached(this.#resources, wire, from, end, () => resourceOf(wire, from, end))
  }

  /** The text of the InstrumentationScope message `[from, end)`. @throws BadMessage, BadSpan */
  scope(wire: Wire, from: number, end: number): string {
    return cached(this.#scopes, wire, from, end, () => scopeOf(wire, from, end))
  }
}

function resourceOf(wire: Wire, from: number, end: number): Resource {
  const attributes = new Attributes()
  let dropped = 0
  wire.fields(from, end, 'a resource', (tag, at, to) => {
    if (tag === RESOURCE.attributes) attributes.add(wire, at, to)
    else if (tag === RESOURCE.droppedAttributesCount) dropped = wire.varint(at)
  })
  const flat = attributes.flat(wire)
  const [entity, project] = [RESOURCE_KEYS.entity, RESOURCE_KEYS.project].map((keys) => firstText(flat, keys))
  const labels = LABEL_KEYS.map((keys) => (firstText(flat, keys) ?? '').slice(0, MAX_LABEL))
  return {
    text: `{${attributesText(wire, attributes, dropped)}}`,
    project: entity === undefined || project === undefined ? undefined : `${entity}/${project}`,
    labels: labels.every((label) => label === '') ? NO_LABELS : labels,
  }
}

function attributesText(wire: Wire, attributes: Attributes, dropped: number): string {
  const tree = treeOf(attributes.keys)
  // They must not spoil the spans, so keys that don't nest stay as they are.
  const text = typeof tree === 'string' ? objectText(attributes.flat(wire)) : attributes.nested(wire, tree)
  return `"attributes":${text}${dropped > 0 ? `,"dropped_attributes_count":${dropped}` : ''}`
}

/** The first of `keys` that is a text which isn't empty. */
function firstText(flat: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => flat.get(key)).find((json) => json?.startsWith('"') && json !== '""')
  return found === undefined ? undefined : String(JSON.parse(found))
}

function scopeOf(wire: Wire, from: number, end: number): string {
  const attributes = new Attributes()
  let [name, version, dropped] = ['""', '""', 0]
  wire.fields(from, end, 'a scope', (tag, at, to) => {
    if (tag === SCOPE.name) name = stringJson(wire.buf.subarray(at, to))
    else if (tag === SCOPE.version) version = stringJson(wire.buf.subarray(at, to))
    else if (tag === SCOPE.attributes) attributes.add(wire, at, to)
    else if (tag === SCOPE.droppedAttributesCount) dropped = wire.varint(at)
  })
  const isMore = attributes.keys.length + dropped > 0
  const more = isMore ? `,${attributesText(wire, attributes, dropped)}` : ''
  return `{"name":${name},"version":${version}${more}}`
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
