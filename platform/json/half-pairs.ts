/** Halves of surrogate pairs: escapes like `\ud83d`, which JSON can write and UTF-8 can't. Pure. */

const HALF = /\p{Surrogate}/u

type Path = (string | number)[]

interface Place {
  value: unknown
  key: string | number
  in: Place | undefined
}

/** Where the first text, or key, with half of a pair is; undefined: there is none. */
export function halfPairAt(value: unknown): Path | undefined {
  // No recursion: what callers send nests as deep as they like.
  const left: Place[] = [{ value, key: '', in: undefined }]
  for (let place = left.pop(); place; place = left.pop()) {
    if (typeof place.value === 'string' && HALF.test(place.value)) return pathOf(place)
    if (typeof place.value !== 'object' || place.value === null) continue
    const inside = Object.entries(place.value)
    for (let i = inside.length - 1; i >= 0; i--) {
      const [name, inner] = inside[i]!
      if (HALF.test(name)) return pathOf(place)
      left.push({ value: inner, key: Array.isArray(place.value) ? i : name, in: place })
    }
  }
  return undefined
}

function pathOf(place: Place): Path {
  const path: Path = []
  for (let at = place; at.in; at = at.in) path.unshift(at.key)
  return path
}
