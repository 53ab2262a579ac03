/** Finds the memory that threads transfer rather than copy. Pure. */

/** The depth of the search. */
const DEEP = 3

/** The memory of the typed arrays in a value, each once; lists of other values are not searched. */
export function memoryOf(value: unknown): ArrayBuffer[] {
  return [...new Set(buffersIn(value, DEEP))]
}

function* buffersIn(value: unknown, deep: number): Generator<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) yield value.buffer
  } else if (deep > 0 && typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const part of Object.values(value)) yield* buffersIn(part, deep - 1)
}
