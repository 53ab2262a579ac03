/**
 * What workers send back: frames that come in one turn of the event loop go out as one message for each receiver.
 * Knows nothing of what is in them. No Batcher: nobody waits for a frame, and the order of frames must hold.
 */
import { type Frame, packFrames } from '../domain/chat/frames.js'

/** A message is sent at once when it has so many bytes. */
const MESSAGE_BYTES = 256 * 1024
/** What has time waits so long for a message that goes out anyway: an answer's first part mostly comes within it. */
const DELAY_MS = 5

export class Outbox {
  private readonly gathered = new Map<string, { frames: Frame[]; bytes: number }>()
  private due: NodeJS.Immediate | undefined
  private later: NodeJS.Timeout | undefined

  /**
   * @param publish gives a message to `api`; resolves with false if nobody receives it
   * @param gone called when nobody did
   */
  constructor(
    private readonly publish: (api: string, message: Buffer) => Promise<boolean>,
    private readonly gone: (api: string) => void,
  ) {}

  /** @param patient it has time */
  add(api: string, frame: Frame, patient = false): void {
    let mine = this.gathered.get(api)
    if (!mine) {
      mine = { frames: [], bytes: 0 }
      this.gathered.set(api, mine)
    }
    mine.frames.push(frame)
    mine.bytes += frame.payload.length
    if (mine.bytes >= MESSAGE_BYTES) this.flush()
    else if (patient) this.later ??= setTimeout(() => this.flush(), DELAY_MS)
    else this.due ??= setImmediate(() => this.flush())
  }

  /** Sends what is there. */
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
