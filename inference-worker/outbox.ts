/**
 * Sends answers back: frames of one turn of the event loop go out as one message per receiver. Doesn't read the frames.
 * Doesn't use Batcher: no caller awaits a frame, and frames must stay in order.
 */
import { type Frame, packFrames } from '../domain/chat/frames.js'

/** A message of this size is sent at once. */
const MESSAGE_BYTES = 256 * 1024
/** How long a frame that isn't urgent waits for another one to travel with; an answer's first part mostly comes sooner. */
const DELAY_MS = 5

export class Outbox {
  private readonly gathered = new Map<string, { frames: Frame[]; bytes: number }>()
  private due: NodeJS.Immediate | undefined
  private later: NodeJS.Timeout | undefined

  /**
   * @param publish sends a message to `api`; resolves with false if it has no receiver
   * @param gone called when a message had no receiver
   */
  constructor(
    private readonly publish: (api: string, message: Buffer) => Promise<boolean>,
    private readonly gone: (api: string) => void,
  ) {}

  /** @param deferrable true if the frame isn't urgent */
  add(api: string, frame: Frame, deferrable = false): void {
    let mine = this.gathered.get(api)
    if (!mine) {
      mine = { frames: [], bytes: 0 }
      this.gathered.set(api, mine)
    }
    mine.frames.push(frame)
    mine.bytes += frame.payload.length
    if (mine.bytes >= MESSAGE_BYTES) this.flush()
    else if (deferrable) this.later ??= setTimeout(() => this.flush(), DELAY_MS)
    else this.due ??= setImmediate(() => this.flush())
  }

  /** Sends all frames now. */
  flush(): void {
    clearImmediate(this.due)
    clearTimeout(this.later)
    this.due = undefined
    this.later = undefined
    for (const [api, { frames }] of this.gathered) {
      this.publish(api, packFrames(frames)).then(
        (received) => {
          if (!received) this.gone(api)
        },
        () => this.gone(api),
      )
    }
    this.gathered.clear()
  }
}
