/** Holds one large answer: parses it, and hands out as much of it as is looked at. */
import { cutDown, insideOf } from './cut'

let root: unknown

self.addEventListener(
  'message',
  ({ data }: MessageEvent<{ id: number; text?: string; path?: (string | number)[] }>) => {
    if (data.text !== undefined) root = JSON.parse(data.text)
    const path = data.path ?? []
    postMessage({ id: data.id, value: cutDown(insideOf(root, path), path) })
  },
)
