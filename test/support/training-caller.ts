/** A caller of the training interface. */
import { Readable } from 'node:stream'

export interface Job {
  id: string
  status: string
  attempt: number
  steps_done: number
  checkpoint_step: number | null
  error_message: string | null
}

export interface Event {
  id: string
  type: string
  data: Record<string, unknown>
  created_at: string
}

export class TrainingCaller {
  private readonly headers: Record<string, string>

  /** @param url of the interface, `/v1/preview` included */
  constructor(
    private readonly url: string,
    key: string,
  ) {
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  }

  /** Registers `acme/training/{name}`; returns its id. */
  async model(name: string): Promise<string> {
    const wanted = { entity: 'acme', project: 'training', name, base_model: 'demo' }
    return (await this.ask<{ id: string }>('POST', '/models', JSON.stringify(wanted))).id
  }

  sft(model: string, lines: readonly string[], config: object): Promise<Job> {
    const url = `data:application/jsonl;base64,${Buffer.from(lines.join('\n')).toString('base64')}`
    const body = { model_id: model, training_data_url: url, config }
    return this.ask('POST', '/sft-training-jobs', JSON.stringify(body))
  }

  /** @param groups JSON text of a list */
  rl(model: string, groups: string, config: object): Promise<Job> {
    const body = `{"model_id":"${model}","trajectory_groups":${groups},"experimental_config":${JSON.stringify(config)}}`
    return this.ask('POST', '/training-jobs', body)
  }

  /** A job of many groups, sent as they are made. */
  async stream(
    model: string,
    count: number,
    make: (i: number) => object,
  ): Promise<{ job: Job; bytes: number }> {
    let bytes = 0
    function* pieces() {
      yield `{"model_id":"${model}","trajectory_groups":[`
      for (let i = 0; i < count; i++) {
        const piece = `${i === 0 ? '' : ','}${JSON.stringify(make(i))}`
        bytes += piece.length
        yield piece
      }
      yield ']}'
    }
    const body = Readable.toWeb(Readable.from(pieces(), { objectMode: false, highWaterMark: 64 * 1024 }))
    const answer = await fetch(`${this.url}/training-jobs`, {
      method: 'POST',
      headers: this.headers,
      body: body as ReadableStream<Uint8Array>,
      duplex: 'half',
    } as RequestInit)
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    return { job: (await answer.json()) as Job, bytes }
  }

  /** Reads the events until the end, asking four times a second; how late each was seen, in ms. */
  async follow(job: string): Promise<{ events: Event[]; latencies: number[] }> {
    const events: Event[] = []
    const latencies: number[] = []
    for (;;) {
      const after = events.length === 0 ? '' : `&after=${events.at(-1)!.id}`
      const { data } = await this.ask<{ data: Event[] }>(
        'GET',
        `/training-jobs/${job}/events?limit=100${after}`,
      )
      const now = Date.now()
      for (const event of data)
        if (event.type === 'gradient_step') latencies.push(now - Date.parse(event.created_at))
      events.push(...data)
      if (['training_ended', 'training_failed'].includes(events.at(-1)?.type ?? ''))
        return { events, latencies }
      if (data.length < 100) await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /** Waits until a job is as it is wanted, or is over; returns it. */
  async until(id: string, enough: (job: Job) => boolean): Promise<Job> {
    for (;;) {
      const job = await this.ask<Job>('GET', `/training-jobs/${id}`)
      if (enough(job) || !['queued', 'running'].includes(job.status)) return job
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  async cancel(job: string): Promise<void> {
    await this.ask('POST', `/training-jobs/${job}/cancel`)
  }

  private async ask<T>(method: string, path: string, body?: string): Promise<T> {
    const answer = await fetch(this.url + path, {
      method,
      headers: this.headers,
      ...(body !== undefined && { body }),
    })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
}
