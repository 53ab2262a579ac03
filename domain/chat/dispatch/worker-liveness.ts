/** Which workers are alive, by how long ago each was heard of. Knows nothing of channels. */
import { type Beat, SILENCE_MS } from '../chat-job.js'

/** A tick that comes so late says that this process hung, so that silence says nothing. */
const HUNG_MS = 1500

interface Heard {
  /** of the newest sign of life */
  at: number
  beat: Beat | undefined
  /** of the newest beat */
  beatAt: number
}

export class WorkerLiveness {
  private readonly heardOf = new Map<string, Heard>()
  private looked: number

  /** @param now ms */
  constructor(private readonly now: () => number = performance.now.bind(performance)) {
    this.looked = now()
  }

  /** A worker said how it is. */
  heard(beat: Beat): void {
    const at = this.now()
    this.heardOf.set(beat.worker, { at, beat, beatAt: at })
  }

  /** A worker gave another sign of life. */
  seen(worker: string): void {
    const before = this.heardOf.get(worker)
    this.heardOf.set(worker, { at: this.now(), beat: before?.beat, beatAt: before?.beatAt ?? 0 })
  }

  /** To be called regularly: forgets who is long gone, and forgives silence while this process hung. */
  look(): void {
    const now = this.now()
    const hung = now - this.looked > HUNG_MS
    this.looked = now
    for (const [worker, heard] of this.heardOf) {
      if (hung) {
        heard.at = now
        heard.beatAt = 0
      }
      if (now - heard.at > 20 * SILENCE_MS) this.heardOf.delete(worker)
    }
  }

  silent(worker: string, ms: number): boolean {
    const heard = this.heardOf.get(worker)
    return heard === undefined || this.now() - heard.at > ms
  }

  /** Those that are alive and take work. */
  alive(): string[] {
    return [...this.heardOf.keys()].filter(
      (worker) => !this.silent(worker, SILENCE_MS) && this.heardOf.get(worker)?.beat?.stopping === false,
    )
  }

  /** Jobs in `queue` that nobody has taken, by the newest beat. */
  waiting(queue: string): number {
    let newest: Heard | undefined
    for (const heard of this.heardOf.values())
      if (heard.beat && heard.beat.waiting[queue] !== undefined && (!newest || heard.at > newest.at))
        newest = heard
    return newest && this.now() - newest.at < SILENCE_MS ? (newest.beat!.waiting[queue] ?? 0) : 0
  }

  /** Whether somebody who looked into `queue` after `since` (ms of the clock) found it empty. */
  foundEmpty(queue: string, since: number): boolean {
    for (const { beat, beatAt } of this.heardOf.values())
      if (beatAt > since && beat?.waiting[queue] === 0) return true
    return false
  }
}
