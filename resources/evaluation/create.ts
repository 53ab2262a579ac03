/** Creates objects from the bodies of the create routes: names, values, refs. */

import { refText } from '../../contract/ref.js'
import { safeName } from '../../domain/refs/op-name.js'
import { OP_FILE, PLACEHOLDERS } from '../../domain/refs/placeholder-op.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { JsonNumber, type JsonTree, treeText } from '../../platform/json/tree.js'
import { authorOf, type BodyRequest, type EvaluationParts } from './parts.js'
import { type Author, refOf } from './publish.js'
import { targetsOf } from './targets.js'

/** The answer of every create route. */
export interface Created {
  object_id: string
  digest: string
  version_index: number
}

export class Creator {
  constructor(private readonly parts: EvaluationParts) {}

  async op(request: BodyRequest): Promise<Created> {
    const { name, source_code } = await this.parts.workers.run('op', request.bytes)
    const source = source_code ?? PLACEHOLDERS.op
    const [author, id] = [authorOf(request), idOf(name, 'Op')]
    return this.created(author, id, await this.parts.publisher.op(author, id, source))
  }

  /** Stores the rows as a table, which the dataset references. */
  async dataset(request: BodyRequest): Promise<Created> {
    const { project, principal, bytes } = request
    const { workers, register, tableWriter } = this.parts
    const { name, description, digest, order, rows, projects } = await workers.run('dataset', bytes)
    await register.note([project, ...projects])
    await tableWriter.create({ project: projectIdOf(project), digest }, order, rows, principal.userId)
    const value = classValue('Dataset', [
      ['name', name ?? 'Dataset'],
      ['description', description],
      ['rows', refText({ project, kind: 'table', digest })],
    ])
    return this.object(authorOf(request), idOf(name, 'Dataset'), value)
  }

  async scorer(request: BodyRequest): Promise<Created & { scorer: string }> {
    const { publisher, workers } = this.parts
    const body = await workers.run('scorer', request.bytes)
    const author = authorOf(request)
    const id = safeName(body.name)
    const [score, summarize] = await Promise.all([
      publisher.op(author, `${id}_score`, body.op_source_code),
      publisher.op(author, `${id}_summarize`, PLACEHOLDERS.summarize_scores),
    ])
    const value = classValue('Scorer', [
      ['name', body.name],
      ['description', body.description],
      ['score', score],
      ['summarize', summarize],
      ['column_map', null],
    ])
    const made = await this.object(author, id, value)
    return { ...made, scorer: refOf(request.project, 'object', id, made.digest) }
  }

  async model(request: BodyRequest): Promise<Created & { model_ref: string }> {
    const { publisher, workers } = this.parts
    const { body, texts } = await workers.run('model', request.bytes)
    const author = authorOf(request)
    const id = safeName(body.name)
    const file = await publisher.source(author, body.source_code)
    const own: [string, JsonTree][] = [
      ['name', body.name],
      ['description', body.description],
      ['files', new Map([[OP_FILE, file]])],
    ]
    const value = classValue('Model', own, texts.attributes)
    const made = await this.object(author, id, value)
    return { ...made, model_ref: refOf(request.project, 'object', id, made.digest) }
  }

  /** @throws 404 with the missing dataset and scorers */
  async evaluation(request: BodyRequest): Promise<Created & { evaluation_ref: string }> {
    const { publisher, finder, workers } = this.parts
    const { body, texts } = await workers.run('evaluation', request.bytes)
    const author = authorOf(request)
    const id = safeName(body.name)
    const [dataset, ...scorers] = await targetsOf(finder, request.principal, [
      body.dataset,
      ...(body.scorers ?? []),
    ])
    const [evaluate, predictAndScore, summarize] = await Promise.all([
      publisher.op(author, `${id}.evaluate`, PLACEHOLDERS.evaluate),
      publisher.op(author, `${id}.predict_and_score`, PLACEHOLDERS.predict_and_score),
      publisher.op(author, `${id}.summarize`, PLACEHOLDERS.summarize),
    ])
    const own: [string, JsonTree][] = [
      ['name', body.name],
      ['description', body.description],
      ['dataset', dataset!.ref],
      ['scorers', scorers.map(({ ref }) => ref)],
      ['trials', new JsonNumber(String(body.trials))],
      ['evaluation_name', body.evaluation_name],
      ['metadata', null],
      ['preprocess_model_input', null],
      ['evaluate', evaluate],
      ['predict_and_score', predictAndScore],
      ['summarize', summarize],
    ]
    const value = classValue('Evaluation', own, texts.eval_attributes)
    const made = await this.object(author, id, value)
    return { ...made, evaluation_ref: refOf(request.project, 'object', id, made.digest) }
  }

  private async object(author: Author, id: string, value: string): Promise<Created> {
    return this.created(author, id, await this.parts.publisher.object(author, id, value))
  }

  /** Reads back which version of the object was published. */
  private async created(author: Author, id: string, digest: string): Promise<Created> {
    const { version_index } = await this.parts.publisher.version(author, id, digest)
    return { object_id: id, digest, version_index }
  }
}

/** The id of an object with this name. */
const idOf = (name: string | null, fallback: string): string => (name === null ? fallback : safeName(name))

/**
 * The JSON text of a value of one of the SDK's own classes.
 * @param attributes JSON text of the caller's members; members of the class win
 */
export function classValue(name: string, own: [string, JsonTree][], attributes = 'null'): string {
  const value = treeText(
    new Map<string, JsonTree>([
      ['_type', name],
      ['_class_name', name],
      ['_bases', ['Object', 'BaseModel']],
      ...own,
    ]),
  )
  // If members have the same name, the last one counts.
  return attributes === 'null' || attributes === '{}' ? value : `${attributes.slice(0, -1)},${value.slice(1)}`
}
