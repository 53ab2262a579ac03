/** Tracks which workers are alive, and their latest queue lengths. */
import { type Beat, SILENCE_MS } from '../chat-job.js'
import { Liveness } from '../liveness.js'

export class WorkerLiveness {
  private readonly workers: Liveness
  private readonly beats = new Map<string, { beat: Beat; at: number }>()

  /** @param now ms */
  constructor(now?: () => number) {
    this.workers = new Liveness(now)
  }

  /** Records a worker's heartbeat. */
  heard(beat: Beat): void {
    this.workers.heard(beat.worker)
    this.beats.set(beat.worker, { beat, at: this.workers.now() })
  }

  /** Records another sign of life. */
  seen(worker: string): void {
    this.workers.heard(worker)
  }

  /** Call this regularly: forgets workers that are long gone, and forgives silence while this process hung. */
  look(): void {
    const { gone, forgiven } = this.workers.look(20 * SILENCE_MS)
    // Queue lengths from before this process hung are outdated.
    if (forgiven) for (const heard of this.beats.values()) heard.at = Number.NEGATIVE_INFINITY
    for (const worker of gone) this.beats.delete(worker)
  }

  silent(worker: string, ms: number): boolean {
    return this.workers.silence(worker) > ms
  }

  /** Workers that are alive and accept work. */
  alive(): string[] {
    return [...this.beats]
      .filter(([worker, { beat }]) => !this.silent(worker, SILENCE_MS) && !beat.stopping)
      .map(([worker]) => worker)
  }

  /** Jobs in `queue` that no worker has taken, by the latest heartbeat. */
  waiting(queue: string): number {
    const known = [...this.beats].filter(
      ([worker, { beat }]) => beat.waiting[queue] !== undefined && this.workers.silence(worker) < SILENCE_MS,
    )
    const newest = known.sort(([, a], [, b]) => b.at - a.at)[0]
    return newest?.[1].beat.waiting[queue] ?? 0
  }

  /** True if a worker found `queue` empty after `since` (ms of the clock). */
  foundEmpty(queue: string, since: number): boolean {
    return [...this.beats.values()].some(({ beat, at }) => at > since && beat.waiting[queue] === 0)
  }
}
