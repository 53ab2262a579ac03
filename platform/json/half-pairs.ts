/** Finds lone surrogates: escapes like `\ud83d`, which JSON can represent and UTF-8 can't. Pure. */

const HALF = /\p{Surrogate}/u

type Path = (string | number)[]

interface Visit {
  value: unknown
  key: string | number
  in: Visit | undefined
}

/** The path of the first string or key with a lone surrogate; undefined if there is none. */
export function halfPairAt(value: unknown): Path | undefined {
  // No recursion: callers' values may be nested to any depth.
  const left: Visit[] = [{ value, key: '', in: undefined }]
  for (let visit = left.pop(); visit; visit = left.pop()) {
    if (typeof visit.value === 'string' && HALF.test(visit.value)) return pathOf(visit)
    if (typeof visit.value !== 'object' || visit.value === null) continue
    const inside = Object.entries(visit.value)
    for (let i = inside.length - 1; i >= 0; i--) {
      const [name, inner] = inside[i]!
      if (HALF.test(name)) return pathOf(visit)
      left.push({ value: inner, key: Array.isArray(visit.value) ? i : name, in: visit })
    }
  }
  return undefined
}

function pathOf(visit: Visit): Path {
  const path: Path = []
  for (let at = visit; at.in; at = at.in) path.unshift(at.key)
  return path
}
