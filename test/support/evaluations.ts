/** Objects that evaluations of the server are made of, published as any client would, and the wait for their end. */
import type { Api, Json, Row } from './api.js'
import { until } from './until.js'

/** Between two questions for the status of a run: each takes the store several statements. */
const ASK_MS = 300

type Value = { [key: string]: Json }

export class Evaluations {
  constructor(
    private readonly api: Api,
    readonly project: string,
  ) {}

  /** Publishes an object of a class; returns its ref. */
  async publish(id: string, className: string, bases: string[], fields: Value): Promise<string> {
    const val = {
      _type: className,
      _class_name: className,
      _bases: [...bases, 'Object', 'BaseModel'],
      ...fields,
    }
    const obj = { project_id: this.project, object_id: id, val }
    const { digest } = await this.api.ok('/obj/create', { obj })
    return `weave:///${this.project}/object/${id}:${digest}`
  }

  model(llm_model_id: string, params: Value = {}, id = 'model'): Promise<string> {
    return this.publish(id, 'LLMStructuredCompletionModel', ['Model'], {
      ...{ name: id, description: null, llm_model_id },
      default_params: { messages_template: [{ role: 'user', content: '{question}' }], ...params },
    })
  }

  scorer(id: string, className: string, fields: Value = {}): Promise<string> {
    return this.publish(id, className, ['Scorer'], {
      name: id,
      description: null,
      column_map: null,
      ...fields,
    })
  }

  /** A dataset and its evaluation; returns the evaluation's ref. */
  async evaluation(rows: Value[], scorers: string[], trials = 1): Promise<string> {
    const path = `/v2/${this.project}`
    const { object_id, digest } = await this.api.ok(`${path}/datasets`, { name: 'rows', rows })
    const dataset = `weave:///${this.project}/object/${object_id}:${digest}`
    const body = { name: 'questions', dataset, scorers, trials }
    return String((await this.api.ok(`${path}/evaluations`, body)).evaluation_ref)
  }

  async begin(evaluation_ref: string, model_ref: string): Promise<string> {
    const body = { project_id: this.project, evaluation_ref, model_ref }
    return String((await this.api.ok('/evaluations/evaluate_model', body)).call_id)
  }

  async status(call_id: string): Promise<Row> {
    const body = { project_id: this.project, call_id }
    return (await this.api.ok('/evaluations/status', body)).status as Row
  }

  /** Waits until so many rows of a run are done. */
  async reach(id: string, rows: number): Promise<void> {
    const done = async () => Number((await this.status(id)).completed_rows) >= rows
    await until('some rows to be done', done, 60, ASK_MS)
  }

  /** Waits for the end of a run; returns its output, or how it failed. */
  async ended(id: string, seconds = 60): Promise<Row> {
    let status: Row = {}
    await until(
      `the evaluation to end`,
      async () => {
        status = await this.status(id)
        return status.code !== 'running'
      },
      seconds,
      ASK_MS,
    ).catch((error: unknown) => {
      throw new Error(`${error} ${JSON.stringify(status)}`)
    })
    return status
  }
}
