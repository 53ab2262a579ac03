/** Where large things lie: contents by key, whole or not at all. Knows nothing of what they are. */

/** Bytes of a content, the last one not included. */
export interface ByteRange {
  from: number
  to: number
}

export interface Artifacts {
  /** Stores `content` under `key`; resolves when it is durable. Storing it again replaces it at once. */
  put(key: string, content: Uint8Array): Promise<void>
  /** The same for contents that are larger than what a process should hold. When `content` throws, nothing is stored. */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** The keys below `prefix` (a key, without a slash at its end; empty: all keys), in no order. */
  keys(prefix: string): AsyncIterable<string>
  /** The content, or a range of it, as a stream; undefined if there is none. Ending the iteration early is fine. */
  get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes a content; harmless if there is none. */
  delete(key: string): Promise<void>
}

/** Throws unless `key` is parts of letters, digits, `_`, `-` and `.` between slashes, none of them `.` or `..`. */
export function checkKey(key: string): void {
  const fine = key.split('/').every((part) => /^[\w.-]{1,200}$/.test(part) && !/^\.+$/.test(part))
  if (!fine) throw new Error(`not a key of an artifact: ${JSON.stringify(key.slice(0, 200))}`)
}

/** Removes everything below `prefix`. */
export async function removeBelow(artifacts: Artifacts, prefix: string): Promise<void> {
  for await (const key of artifacts.keys(prefix)) await artifacts.delete(key)
}
