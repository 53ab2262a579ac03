/** For tests alone: the training interface and an inference worker over a Redis and scripted nodes of their own. */

import { InferenceWorker } from '../../../inference-worker/worker.js'
import { Store } from '../../../platform/clickhouse/store.js'
import { App } from '../../../platform/http/app.js'
import { Principal, type Right } from '../../../platform/http/principal.js'
import { LocalLeases } from '../../../platform/leases/local.js'
import { Outbound } from '../../../platform/outbound/fetch.js'
import { openLog } from '../../../platform/telemetry/log.js'
import { Metrics } from '../../../platform/telemetry/metrics.js'
import { TestRedis } from '../../../platform/testing/redis.js'
import { ScriptedNode } from '../../../proto/heddle/node/v1/testing/scripted-node.js'
import { problemBody } from '../../../training-api/problem.js'
import { createTrainingApi, type TrainingApiOptions } from '../../../training-api/training-api.js'

const log = openLog({ level: process.env.TEST_LOG ?? 'silent', format: 'text', role: 'test' })

export class ChatStack {
  readonly workers: InferenceWorker[] = []
  private readonly stops: (() => Promise<void>)[] = []

  private constructor(
    readonly redis: TestRedis,
    private readonly redisUrl: string,
    readonly nodes: ScriptedNode[],
    readonly url: string,
    readonly app: App,
    private readonly more: Partial<TrainingApiOptions>,
  ) {}

  static async start(
    nodes: ScriptedNode[] = [new ScriptedNode()],
    more: Partial<TrainingApiOptions> = {},
  ): Promise<ChatStack> {
    const redis = await TestRedis.start()
    const { redisUrl = redis.url } = more
    await Promise.all(nodes.map((node) => node.start()))
    const api = await ChatStack.api(redisUrl, more)
    const stack = new ChatStack(redis, redisUrl, nodes, api.url, api.app, more)
    stack.stops.push(api.stop)
    stack.addWorker()
    await stack.served(nodes.length)
    return stack
  }

  /** Another process of the training interface over the same Redis. @returns its address */
  async addApi(): Promise<string> {
    const api = await ChatStack.api(this.redisUrl, this.more)
    this.stops.push(api.stop)
    await this.served(this.nodes.length, api.url)
    return api.url
  }

  private static async api(redisUrl: string, more: Partial<TrainingApiOptions>) {
    const store = new Store({ url: 'http://127.0.0.1:1', username: 'nobody', password: '' })
    const leases = new LocalLeases()
    const outbound = new Outbound({ allowPrivate: [] })
    const api = createTrainingApi({
      ...{ leases, outbound, storage: undefined },
      ...{
        store,
        metrics: new Metrics(),
        log,
        redisUrl,
        version: 'test',
        tracingUrl: () => undefined,
      },
      ...{
        waiting: { most: 100, perEntity: 100, perKey: 100 },
        images: { most: 2, bytes: 1 << 16, pixels: 10_000, outbound: undefined },
        jobLimit: 0,
        dataLimit: 0,
        batchLimit: 3,
        fileLimit: 1 << 20,
        chatSeconds: 60,
        nodeReturnSeconds: 1,
        requestsPerMinute: 0,
        tokensPerMinute: 0,
      },
      ...more,
    })
    api.start()
    const app = new App(api.routes, {
      heldBytes: 64 << 20,
      authenticate: (headers) => {
        const key = headers.get('authorization')?.replace('Bearer ', '') ?? 'tester'
        // `user@entity:right`; of which the last two may be left out
        const [, user = '', scope = 'acme', right = 'write'] =
          /^([^@]+)(?:@([^:]+))?(?::(.+))?$/.exec(key) ?? []
        return new Principal(user, user, [{ scope, right: right as Right }], key)
      },
      errorBody: problemBody,
    })
    const url = `http://127.0.0.1:${await app.listen(0)}`
    const stop = async () => {
      await app.stop(2000)
      await api.stop()
      await outbound.close()
      await store.close()
    }
    return { url, app, stop }
  }

  addWorker(stopSeconds = 2): InferenceWorker {
    const worker = new InferenceWorker({
      redisUrl: this.redisUrl,
      nodes: this.nodes.map(({ address }) => address),
      access: {},
      log,
      metrics: new Metrics(),
      stopSeconds,
    })
    worker.start()
    this.workers.push(worker)
    return worker
  }

  /** Waits until so many nodes are known to be up. */
  async served(count: number, url = this.url): Promise<void> {
    for (let i = 0; i < 400; i++) {
      const check = await this.get('/v1/system-check', url)
      const detail = String((check.body as SystemCheck).checks.inference?.detail)
      const up = detail.startsWith('No node')
        ? 0
        : detail.split('; ').filter((line) => line.includes(' at ')).length
      if (up === count && (check.body as SystemCheck).checks.redis?.status === 'ok') return
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error('the nodes did not come up')
  }

  async get(path: string, url = this.url): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(url + path, { headers: { authorization: 'Bearer tester' } })
    return { status: answer.status, body: await answer.json() }
  }

  /** A chat request; `say` is what the scripted node says. */
  post(say: string, more: object = {}, init: RequestInit = {}, url = this.url): Promise<Response> {
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer tester', 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: say }], ...more }),
      ...init,
    })
  }

  /** The chunks of a streamed answer. */
  async chunks(say: string, more: object = {}): Promise<Record<string, never>[]> {
    const answer = await this.post(say, { stream: true, ...more })
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    return parseStream(await answer.text())
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) await stop()
    await Promise.all(this.workers.map((worker) => worker.stop()))
    for (const node of this.nodes) node.kill()
    await this.redis.stop()
  }
}

interface SystemCheck {
  checks: Record<string, { status: string; detail: string | null }>
}

/** The data of server-sent events; the last must be `[DONE]`. */
export function parseStream(text: string): Record<string, never>[] {
  const lines = text.split('\n\n').filter((line) => line.startsWith('data: '))
  if (lines.pop() !== 'data: [DONE]') throw new Error(`the stream has no end: ${text.slice(-200)}`)
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, never>)
}
