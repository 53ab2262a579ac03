/** A span's attributes that no key of an agent names: by type, under dotted keys. Pure; reads the span's JSON text. */
import { rawFields } from '../../platform/json/fields.js'
import { AGENT_KEYS } from './keys.js'

export interface CustomAttributes {
  custom_attrs_string: Record<string, string>
  custom_attrs_int: Record<string, number>
  custom_attrs_float: Record<string, number>
  custom_attrs_bool: Record<string, boolean>
}

const MOST = 1024
const MOST_TEXT = 262_144
/** Indexed prompts and completions are messages and attributes at once. */
const KNOWN = new Set(
  Object.values(AGENT_KEYS)
    .flat()
    .filter((key) => !/^(?:weave|gen_ai)\.(?:prompt|completion)$/.test(key)),
)
const NO_NUMBER = new Set(['NaN', 'Infinity', '-Infinity'])

/** True of a key that an agent's field is read from, or that is below one. */
function isKnown(key: string): boolean {
  for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) {
    if (KNOWN.has(key.slice(0, end))) return true
  }
  return false
}

/** Those of a span's attributes, given as JSON text of an object. @param wanted which; default: all */
export function customAttributes(
  attributes: string,
  wanted: (source: keyof CustomAttributes, key: string) => boolean = () => true,
): CustomAttributes {
  const found: CustomAttributes = {
    custom_attrs_string: {},
    custom_attrs_int: {},
    custom_attrs_float: {},
    custom_attrs_bool: {},
  }
  let count = 0
  for (const [key, source, value] of leaves('', attributes)) {
    if (count++ === MOST) break
    if (wanted(source, key)) Object.assign(found[source], { [key]: value })
  }
  return found
}

type Leaf = [key: string, source: keyof CustomAttributes, value: string | number | boolean]

function* leaves(prefix: string, text: string): Generator<Leaf> {
  const bytes = Buffer.from(text)
  for (const [name, { from, to }] of rawFields(bytes, Number.POSITIVE_INFINITY) ?? []) {
    const key = prefix + name
    const raw = bytes.toString('utf8', from, to)
    if (isKnown(key)) continue
    if (raw.startsWith('{')) yield* leaves(`${key}.`, raw)
    else {
      const leaf = leafOf(key, raw)
      if (leaf !== undefined) yield leaf
    }
  }
}

function leafOf(key: string, raw: string): Leaf | undefined {
  const first = raw[0]
  if (first === 'n') return undefined
  if (first === 't' || first === 'f') return [key, 'custom_attrs_bool', first === 't']
  if (first === '"' || first === '[') {
    const value = first === '"' ? (JSON.parse(raw) as string) : raw
    return value === '' || NO_NUMBER.has(value) ? undefined : [key, 'custom_attrs_string', cut(value)]
  }
  const number = Number(raw)
  if (!Number.isFinite(number)) return undefined
  return /[.eE]/.test(raw) ? [key, 'custom_attrs_float', number] : [key, 'custom_attrs_int', number]
}

function cut(text: string): string {
  if (text.length <= MOST_TEXT) return text
  const tail = `...[truncated from ${text.length} chars]`
  return text.slice(0, MOST_TEXT - tail.length) + tail
}
