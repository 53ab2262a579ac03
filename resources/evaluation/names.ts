/** The decoded name in the ref of an op or object; a plain name stays itself. */
export function shortName(op: string): string {
  if (!op.startsWith('weave:///')) return op
  const name = /\/(?:op|object)\/([^/:]+):/.exec(op)?.[1]
  if (name === undefined) return op
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
