/** For tests alone: the training interface and trainer workers over a real store, a Redis and scripted nodes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArtifacts } from '../../../platform/artifacts/open.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { App } from '../../../platform/http/app.js'
import { Principal, type Right } from '../../../platform/http/principal.js'
import { RedisLeases } from '../../../platform/leases/redis.js'
import { Outbound } from '../../../platform/outbound/fetch.js'
import { openLog } from '../../../platform/telemetry/log.js'
import { Metrics } from '../../../platform/telemetry/metrics.js'
import { sharedTestEngine, type TestEngine } from '../../../platform/testing/engine.js'
import { TestRedis } from '../../../platform/testing/redis.js'
import { ScriptedTrainer } from '../../../proto/heddle/node/v1/testing/scripted-trainer.js'
import { TrainerWorker, type TrainerWorkerOptions } from '../../../trainer-worker/worker.js'
import { problemBody } from '../../../training-api/problem.js'
import { createTrainingApi } from '../../../training-api/training-api.js'

const log = openLog({ level: process.env.TEST_LOG ?? 'silent', format: 'text', role: 'test' })

export interface Answer<T> {
  status: number
  body: T
}

export interface Job {
  id: string
  status: string
  error_code: string | null
  error_message: string | null
  checkpoint_step: number | null
  attempt: number
  steps_done: number
  steps_total: number | null
}

export interface Page<T> {
  data: T[]
  has_more: boolean
  first_id: string
  last_id: string
}

export interface Event {
  id: string
  type: string
  data: Record<string, unknown>
}

export class TrainingStack {
  readonly folder = mkdtempSync(join(tmpdir(), 'heddle-training-'))
  readonly node = new ScriptedTrainer()
  readonly workers: TrainerWorker[] = []
  url = ''
  private app!: App
  private stopApi!: () => Promise<void>

  private constructor(
    readonly redis: TestRedis,
    private readonly engine: TestEngine,
    readonly store: Store,
  ) {}

  static async start(): Promise<TrainingStack> {
    const [redis, engine] = await Promise.all([TestRedis.start(), sharedTestEngine()])
    const store = await engine.migrated('training')
    const stack = new TrainingStack(redis, engine, store)
    await stack.node.start()
    await stack.startApi()
    return stack
  }

  get root(): string {
    return join(this.folder, 'artifacts')
  }

  async startApi(): Promise<void> {
    const leases = new RedisLeases(this.redis.url)
    const outbound = new Outbound({ allowPrivate: [] })
    const api = createTrainingApi({
      ...{ store: this.store, metrics: new Metrics(), log, redisUrl: this.redis.url, version: 'test' },
      ...{
        waiting: { most: 100, perEntity: 100, perKey: 100 },
        images: { most: 0, bytes: 0, pixels: 0, outbound: undefined },
        jobLimit: 10,
        dataLimit: 2 ** 30,
        batchLimit: 3,
        fileLimit: 1 << 20,
        chatSeconds: 60,
        nodeReturnSeconds: 1,
        requestsPerMinute: 0,
        tokensPerMinute: 0,
      },
      ...{ leases, outbound, tracingUrl: () => undefined },
      storage: { artifacts: openArtifacts(this.root), root: this.root },
    })
    api.start()
    this.app = new App(api.routes, {
      heldBytes: 64 << 20,
      authenticate: (headers) => {
        const user = headers.get('authorization')?.replace('Bearer ', '') ?? 'acme'
        // "acme:read" may only read there, and writes elsewhere.
        const [scope = '', right = 'write'] = user.split(':')
        const grants = [
          { scope, right: right as Right },
          { scope: 'elsewhere', right: 'write' as const },
        ]
        return new Principal(user, user, right === 'write' ? grants.slice(0, 1) : grants, user)
      },
      errorBody: problemBody,
    })
    this.url = `http://127.0.0.1:${await this.app.listen(0)}`
    this.stopApi = async () => {
      await this.app.stop(2000)
      await api.stop()
      await Promise.all([leases.close(), outbound.close()])
    }
  }

  addWorker(more: Partial<TrainerWorkerOptions> = {}): TrainerWorker {
    const worker = new TrainerWorker({
      ...{ store: this.store, leases: new RedisLeases(this.redis.url), redisUrl: this.redis.url },
      ...{ artifacts: openArtifacts(this.root), root: this.root, nodes: [this.node.address], access: {} },
      ...{ settings: {}, keep: { last: 0, best: undefined }, log, metrics: new Metrics() },
      ...more,
    })
    worker.start()
    this.workers.push(worker)
    return worker
  }

  async call<T>(method: string, path: string, body?: unknown, key = 'acme'): Promise<Answer<T>> {
    const answer = await fetch(`${this.url}/v1/preview${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = answer.headers.get('content-type')?.startsWith('application/json')
    return { status: answer.status, body: (json ? JSON.parse(text) : text) as T }
  }

  /** Registers a model; returns its id. */
  async model(name: string, entity = 'acme'): Promise<string> {
    const wanted = { entity, project: 'toys', name, base_model: 'scripted' }
    return (await this.call<{ id: string }>('POST', '/models', wanted, entity)).body.id
  }

  /** Queues a job of so many groups; returns its id. */
  async rl(model: string, groups: number, entity = 'acme', config = {}): Promise<string> {
    const body = {
      model_id: model,
      trajectory_groups: Array.from({ length: groups }, group),
      experimental_config: config,
    }
    const answer = await this.call<Job>('POST', '/training-jobs', body, entity)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.id
  }

  async job(id: string, entity = 'acme'): Promise<Job> {
    return (await this.call<Job>('GET', `/training-jobs/${id}`, undefined, entity)).body
  }

  /** Every event, page by page, as the published client reads them. */
  async events(id: string, limit = 7): Promise<Event[]> {
    const all: Event[] = []
    for (let after = ''; ; ) {
      const { body } = await this.call<Page<Event>>(
        'GET',
        `/training-jobs/${id}/events?limit=${limit}${after}`,
      )
      all.push(...body.data)
      if (!body.has_more || body.data.length === 0) return all
      after = `&after=${body.last_id}`
    }
  }

  /** Waits until the job is over. */
  async over(id: string, seconds = 30): Promise<Job> {
    const deadline = Date.now() + seconds * 1000
    for (;;) {
      const job = await this.job(id)
      if (['completed', 'failed', 'cancelled'].includes(job.status)) return job
      if (Date.now() > deadline) {
        const logs = await this.call<Page<{ message: string }>>('GET', `/training-jobs/${id}/logs`)
        throw new Error(`the job is not over: ${JSON.stringify(job)} ${JSON.stringify(logs.body)}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()))
    await this.stopApi()
    this.node.kill()
    await this.redis.stop()
    await this.engine.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A trajectory group that can be trained on. */
export function group(_: unknown, i = 0) {
  const trajectory = (reward: number) => ({
    messages_and_choices: [
      { role: 'user', content: `Question ${i}` },
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'yes' },
        logprobs: { content: [{ token: 'yes', logprob: -0.5, bytes: null, top_logprobs: [] }] },
      },
    ],
    reward,
    metrics: {},
    metadata: {},
  })
  return { trajectories: [trajectory(1), trajectory(0)], exceptions: [], metadata: {} }
}
