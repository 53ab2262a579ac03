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
/** The pause after a look that found nothing new, to how long it took: where there is much to read, looks are few. */
const REST = 10
/** µs before a look of which spans are looked at; an hour before the first request where that is later. */
const LATEST = 24 * 3_600_000_000
const BEFORE = 3_600_000_000
/** ms for which linked items of a run are looked for, after the last one was linked. */
const LINKED_MS = FIRST_MS * 2 ** LOOKS
/** Projects that are followed at once. */
const MOST = 1000

interface Followed {
  author: Author
  since: number
  /** when an item was linked last, by id of the run */
  linked: Map<string, number>
  looks: number
  /** ms until the next look at least */
  rest: number
  timer: NodeJS.Timeout | undefined
  /** true: it found something new */
  running: Promise<boolean> | undefined
}

export class Activity {
  private readonly projects = new Map<string, Followed>()
  private isStopping = false

  constructor(private readonly recorder: Recorder) {}

  /** Notes a request. @param run id of a run whose items it links */
  note(author: Author, run?: string): void {
    const known = this.projects.get(author.project)
    const fresh: Followed = {
      ...{ author, since: Date.now() * 1000 - BEFORE, linked: new Map<string, number>() },
      ...{ looks: 0, rest: 0, timer: undefined, running: undefined },
    }
    const followed = known ?? fresh
    if (!known && (this.projects.size >= MOST || this.isStopping)) return
    this.projects.set(author.project, followed)
    if (run !== undefined) followed.linked.set(run, Date.now())
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
    const pause = Math.max(FIRST_MS * 2 ** followed.looks++, followed.rest)
    followed.timer = setTimeout(() => void this.look(followed), pause).unref()
  }

  private async look(followed: Followed): Promise<void> {
    const { author, linked, running } = followed
    await running
    const began = Date.now()
    for (const [run, at] of linked) if (at < began - LINKED_MS) linked.delete(run)
    followed.since = Math.max(followed.since, began * 1000 - LATEST)
    followed.running = asCaller(service('langfuse-experiments'), () =>
      this.recorder.record(author, followed.since, new Set(linked.keys())),
    ).catch(() => false)
    const isNew = await followed.running
    followed.rest = isNew ? 0 : REST * (Date.now() - began)
    followed.timer = undefined
    this.plan(followed)
  }
}
