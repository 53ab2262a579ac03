/** Finds the values of dotted keys among nested attributes. Pure. */
import { isObject } from '../../platform/json/object.js'

/** A key or the beginning of some, and what may stand in the object there: keys one or more dots long. */
interface Place {
  /** of the key that ends here, −1: none does */
  index: number
  readonly below: Map<string, Place>
}

/** The keys of a table, found in one walk: looking each up takes ten times as long as parsing a span. */
export class KnownValues {
  readonly #places = new Map<string, Place>()

  /** @param keys each once */
  constructor(private readonly keys: readonly string[]) {
    for (const [index, key] of keys.entries()) {
      const dots = Array.from(key.matchAll(/\./g), ({ index: at }) => at)
      for (const [depth, from] of [-1, ...dots].entries())
        for (const to of [...dots.slice(depth), key.length]) {
          const { below } = this.#place(key.slice(0, Math.max(from, 0)))
          below.set(key.slice(from + 1, to), this.#place(key.slice(0, to)))
        }
      this.#place(key).index = index
    }
  }

  #place(prefix: string): Place {
    const known = this.#places.get(prefix)
    if (known) return known
    const place = { index: -1, below: new Map<string, Place>() }
    this.#places.set(prefix, place)
    return place
  }

  /** What {@link valueAt} says of each key, in their order. */
  of(attributes: unknown): unknown[] {
    const values = new Array<unknown>(this.keys.length).fill(undefined)
    if (isObject(attributes)) walk(attributes, this.#place(''), values)
    return values
  }
}

function walk(object: Record<string, unknown>, { below }: Place, values: unknown[]): void {
  const names = Object.keys(object).filter((name) => below.has(name))
  // The longest first, as what is found first stays.
  if (names.length > 1) names.sort((a, b) => b.length - a.length)
  for (const name of names) {
    const place = below.get(name)!
    const value = object[name]
    if (place.index >= 0 && values[place.index] === undefined) values[place.index] = value
    if (place.below.size > 0 && isObject(value)) walk(value, place, values)
  }
}

/** The value at a dotted key of nested attributes: a key that was kept whole is found, too, and goes before its parts. */
export function valueAt(attributes: unknown, key: string): unknown {
  if (!isObject(attributes)) return undefined
  if (Object.hasOwn(attributes, key)) return attributes[key]
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const head = key.slice(0, dot)
    if (!Object.hasOwn(attributes, head)) continue
    const found = valueAt(attributes[head], key.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}
