/**
 * Writers of two entities that send stories side by side until told to stop, each request again and again with the same
 * bytes until it is acknowledged. Only then the ledger is told.
 */
import type { Api, Row } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import type { Ledger } from './ledger.js'
import type { Random } from './random.js'
import { newStory, type Step, type Story } from './story.js'

export class Writers {
  /** Stories told to the end. */
  readonly told: Story[] = []
  /** Answers that no writer should ever get. */
  readonly unexpected: string[] = []
  acknowledged = 0
  /** Requests sent again because no good answer came. */
  retried = 0

  /** Of two entities; writers take turns. */
  readonly projects = [freshProject(), freshProject('other')] as const

  private paused = false
  private stopping = false
  private underWay = 0
  private readonly running: Promise<void>[]

  constructor(
    private readonly api: Api,
    private readonly ledger: Ledger,
    random: Random,
    count: number,
  ) {
    this.running = Array.from({ length: count }, (_, n) =>
      this.write(random, this.projects[n % this.projects.length]!),
    )
  }

  /** All calls that are there. */
  async rows(): Promise<Row[]> {
    return (await Promise.all(this.projects.map((project) => this.api.calls(project)))).flat()
  }

  /** How many the projects are said to have. */
  async count(): Promise<number> {
    const counts = await Promise.all(this.projects.map((project) => this.api.count(project)))
    return counts.reduce((sum, count) => sum + count)
  }

  /** Lets requests under way come to an end, good or bad, and sends no more until {@link resume}. */
  async pause(): Promise<void> {
    this.paused = true
    while (this.underWay > 0) await tick()
  }

  resume(): void {
    this.paused = false
  }

  /** Tells every begun story to its end. */
  async finish(): Promise<void> {
    this.stopping = true
    this.resume()
    await Promise.all(this.running)
  }

  /** Sends the requests of up to `count` told stories once more; those must be acknowledged and change nothing. */
  async repeat(count: number): Promise<void> {
    for (const story of this.told.filter(({ repeatable }) => repeatable).slice(-count))
      for (const step of story.steps) while (!(await this.send(step))) await tick()
  }

  private async write(random: Random, project: string): Promise<void> {
    while (!this.stopping) {
      const story = newStory(random, project)
      for (const step of story.steps) await this.insist(step)
      this.told.push(story)
    }
  }

  private async insist(step: Step): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      while (this.paused) await tick()
      this.underWay++
      try {
        if (attempt === 0) this.ledger.sending(step.effect)
        else this.retried++
        if (await this.send(step)) {
          this.ledger.acknowledge(step.effect)
          this.acknowledged++
          return
        }
      } finally {
        this.underWay--
      }
      // A server that is down or starting: eight who ask all the time would keep a core from it.
      await tick(100)
    }
  }

  private async send(step: Step): Promise<boolean> {
    try {
      const { status, text } = await this.api.post(step.path, step.body, step.headers)
      // A partial success names rejected spans: none of these deserves that.
      if (status === 200 && !(step.path.startsWith('/otel') && text !== '')) return true
      if (status !== 429 && status !== 503)
        this.unexpected.push(`${step.path}: ${status} ${text.slice(0, 300)}`)
    } catch {
      // The connection broke: nobody knows whether it was stored.
    }
    return false
  }
}

function tick(ms = 20): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
