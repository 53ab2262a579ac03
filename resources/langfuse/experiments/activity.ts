/**
 * When to look for what came of experiments: soon after a request of Langfuse's SDKs, and then more and more seldom,
 * since exporters send spans and scores on their own.
 */
import { asCaller, service } from '../../../platform/fairness/caller.js'
import type { Author } from '../../evaluation/publish.js'
import type { Recorder } from './recorder.js'

/** ms until the first look after a request; each later one waits twice as long. */
const FIRST_MS = 1000
const LOOKS = 10
/** µs before the first request of a project here whose spans are looked at. */
const BEFORE = 3_600_000_000
/** Projects that are followed at once. */
const MOST = 1000

interface Followed {
  author: Author
  since: number
  linked: Set<string>
  looks: number
  timer: NodeJS.Timeout | undefined
  running: Promise<void> | undefined
}

export class Activity {
  private readonly projects = new Map<string, Followed>()
  private isStopping = false

  constructor(private readonly recorder: Recorder) {}

  /** Notes a request. @param run id of a run whose items it links */
  note(author: Author, run?: string): void {
    const known = this.projects.get(author.project)
    const fresh: Followed = {
      ...{ author, since: Date.now() * 1000 - BEFORE, linked: new Set<string>() },
      ...{ looks: 0, timer: undefined, running: undefined },
    }
    const followed = known ?? fresh
    if (!known && (this.projects.size >= MOST || this.isStopping)) return
    this.projects.set(author.project, followed)
    if (run !== undefined) followed.linked.add(run)
    const isLong = followed.looks > 1
    followed.looks = 0
    if (followed.timer === undefined || isLong) this.plan(followed)
  }

  /** Resolves when no look runs. */
  async stop(): Promise<void> {
    this.isStopping = true
    for (const { timer } of this.projects.values()) clearTimeout(timer)
    await Promise.all([...this.projects.values()].map(({ running }) => running))
  }

  private plan(followed: Followed): void {
    clearTimeout(followed.timer)
    if (this.isStopping) return
    if (followed.looks >= LOOKS) {
      this.projects.delete(followed.author.project)
      return
    }
    followed.timer = setTimeout(() => void this.look(followed), FIRST_MS * 2 ** followed.looks++).unref()
  }

  private async look(followed: Followed): Promise<void> {
    const { author, since, linked, running } = followed
    await running
    followed.running = asCaller(service('langfuse-experiments'), () =>
      this.recorder.record(author, since, linked),
    ).catch(() => undefined)
    await followed.running
    followed.timer = undefined
    this.plan(followed)
  }
}
