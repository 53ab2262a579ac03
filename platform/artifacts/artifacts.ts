/** Storage for large content by key. A write is all or nothing. */

/** A byte range of some content; `to` is exclusive. */
export interface ByteRange {
  from: number
  to: number
}

export interface Artifacts {
  /** Stores `content` under `key`, replacing any previous content atomically; resolves when it is durable. */
  put(key: string, content: Uint8Array): Promise<void>
  /** Like {@link put}, for content too large to hold in memory. Stores nothing if `content` throws. */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** The keys below `prefix` (a key without a trailing slash; empty: all keys), unordered. */
  keys(prefix: string): AsyncIterable<string>
  /** Streams the content, or a range of it; undefined if absent. The caller may end the iteration early. */
  get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes the content, if present. */
  delete(key: string): Promise<void>
}

/**
 * Throws unless `key` is parts of letters, digits, `_`, `-`, `.` and `%`, separated by slashes, none of them `.` or `..`.
 */
export function checkKey(key: string): void {
  const fine = key.split('/').every((part) => /^[\w.%-]{1,200}$/.test(part) && !/^\.+$/.test(part))
  if (!fine) throw new Error(`not an artifact key: ${JSON.stringify(key.slice(0, 200))}`)
}

/** Removes everything below `prefix`. */
export async function removeBelow(artifacts: Artifacts, prefix: string): Promise<void> {
  for await (const key of artifacts.keys(prefix)) await artifacts.delete(key)
}
