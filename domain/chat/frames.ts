/**
 * The frames that a worker sends back, many per Redis message. Each frame names its request and attempt and has a
 * sequence number, so that lost messages are noticed. Pure.
 */

/** `accepted`: a worker has the request; `event`: an event of the node; `failed`: the answer ends with an error. */
export const FRAME = { accepted: 1, event: 2, failed: 3 } as const
export type FrameKind = (typeof FRAME)[keyof typeof FRAME]

export interface Frame {
  /** the number of the request, in the process that received it */
  request: number
  /** counts the jobs queued for the request */
  attempt: number
  kind: FrameKind
  /** 0, 1, 2, … within an attempt */
  seq: number
  payload: Uint8Array
}

/** u32 request, u8 attempt, u8 kind, u32 seq, u32 length */
const HEAD = 14

/** The size of `frame` in a message. */
export function frameBytes(frame: Frame): number {
  return HEAD + frame.payload.length
}

/** Packs frames into one message. */
export function packFrames(frames: readonly Frame[]): Buffer {
  const message = Buffer.allocUnsafe(frames.reduce((sum, frame) => sum + frameBytes(frame), 0))
  let at = 0
  for (const { request, attempt, kind, seq, payload } of frames) {
    message.writeUInt32LE(request, at)
    message.writeUInt8(attempt, at + 4)
    message.writeUInt8(kind, at + 5)
    message.writeUInt32LE(seq, at + 6)
    message.writeUInt32LE(payload.length, at + 10)
    message.set(payload, at + HEAD)
    at += HEAD + payload.length
  }
  return message
}

/** Unpacks a message; payloads share its memory. @throws RangeError if it is truncated */
export function unpackFrames(message: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < message.length; ) {
    const length = message.readUInt32LE(at + 10)
    const from = at + HEAD
    if (from + length > message.length) throw new RangeError('a frame is cut off')
    frames.push({
      request: message.readUInt32LE(at),
      attempt: message.readUInt8(at + 4),
      kind: message.readUInt8(at + 5) as FrameKind,
      seq: message.readUInt32LE(at + 6),
      payload: message.subarray(from, from + length),
    })
    at = from + length
  }
  return frames
}
