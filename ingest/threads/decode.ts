/** The entry of a decode thread. Knows how what was decoded gets to the main thread. */
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { decodeBatch } from './decode-batch.js'
import type { Decoded, Rows, Task } from './task.js'

/** Decodes a batch, see {@link decodeBatch}. */
export default function decode(task: Task): unknown {
  const decoded = decodeBatch(task)
  return move({ [transferableSymbol]: buffersOf(decoded), [valueSymbol]: decoded })
}

function buffersOf({ calls, open }: Decoded): ArrayBuffer[] {
  const views = [calls ? viewsOf(calls) : [], open ? viewsOf(open) : []].flat()
  return views.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
}

function viewsOf({ bytes, kinds, hashes, born, requests }: Rows): ArrayBufferView[] {
  return [bytes, kinds, hashes, born, requests]
}
