/** Holds one large answer: parses it, and hands out as much of it as is looked at. */
import { parseJson, toSend } from '../../api/json'
import { cutDown, type Part } from './cut'

let root: unknown

self.addEventListener(
  'message',
  ({ data: { id, bytes, part } }: MessageEvent<{ id: number; bytes?: ArrayBuffer; part?: Part }>) => {
    try {
      if (bytes !== undefined) root = parseJson(new TextDecoder().decode(bytes))
      postMessage({ id, found: toSend(cutDown(root, part)) })
    } catch (error) {
      postMessage({ id, error: error instanceof Error ? error.message : String(error) })
    }
  },
)
