/** Publishes objects one after the other, each until it is acknowledged, and knows which ones were. */
import type { Api } from '../support/api.js'
import { until } from '../support/until.js'

export class Publisher {
  /** Digests by name. */
  readonly acknowledged = new Map<string, string>()

  private stopping = false
  private readonly running: Promise<void>

  constructor(
    private readonly api: Api,
    private readonly project: string,
  ) {
    this.running = this.publish()
  }

  /** What is wrong with the stored versions: one of each acknowledged object, as it was. */
  async wrong(): Promise<string[]> {
    const promised = [...this.acknowledged]
    const { objs } = await this.api.ok('/objs/query', { project_id: this.project })
    const stored = new Map<string, { digest: string; val: { number: number } }[]>()
    for (const obj of objs as { object_id: string; digest: string; val: { number: number } }[])
      stored.set(obj.object_id, [...(stored.get(obj.object_id) ?? []), obj])
    return promised.flatMap(([name, digest]) => {
      const versions = stored.get(name) ?? []
      const isRight = versions.length === 1 && versions[0]!.digest === digest
      return isRight && `object-${versions[0]!.val.number}` === name
        ? []
        : [`${name}: ${versions.length} versions`]
    })
  }

  /** Ends when the one under way is acknowledged. */
  async finish(): Promise<void> {
    this.stopping = true
    await this.running
  }

  private async publish(): Promise<void> {
    for (let number = 0; !this.stopping; number++) {
      const name = `object-${number}`
      const obj = { project_id: this.project, object_id: name, val: { number } }
      await until(`${name} to be acknowledged`, async () => {
        const { digest } = await this.api.ok('/obj/create', { obj })
        this.acknowledged.set(name, String(digest))
        return true
      })
    }
  }
}
