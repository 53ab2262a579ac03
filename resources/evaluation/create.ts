/** From the bodies of the create routes to objects: names, values, what they point at. Knows nothing of HTTP. */

import { refText } from '../../contract/ref.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { safeName } from '../../domain/refs/op-name.js'
import { OP_FILE, PLACEHOLDERS } from '../../domain/refs/placeholder-op.js'
import type { Principal } from '../../platform/http/principal.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { JsonNumber, type JsonTree, treeText } from '../../platform/json/tree.js'
import type { VersionFinder } from '../objects/find.js'
import type { Version } from '../objects/versions.js'
import type { TableWriter } from '../tables/writer.js'
import type { Workers } from '../workers/workers.js'
import { type Author, type Publisher, refOf } from './publish.js'
import { targetsOf } from './targets.js'

export interface CreateParts {
  publisher: Publisher
  finder: VersionFinder
  tables: TableWriter
  workers: Workers
  register: ProjectRegister
}

/** A request to create something. */
export interface Asked {
  project: string
  principal: Principal
  bytes: Uint8Array
}

/** What every create answers. */
export interface Created {
  object_id: string
  digest: string
  version_index: number
}

const authorOf = ({ project, principal }: Asked): Author => ({ project, userId: principal.userId })
const answerOf = ({ object_id, digest, version_index }: Version): Created => ({
  object_id,
  digest,
  version_index,
})

export class Creator {
  constructor(private readonly parts: CreateParts) {}

  async op(asked: Asked): Promise<Created> {
    const { name, source_code } = await this.parts.workers.run('op', asked.bytes)
    const source = source_code ?? PLACEHOLDERS.op
    return answerOf(await this.parts.publisher.op(authorOf(asked), idOf(name, 'Op'), source))
  }

  /** Rows become a table; the dataset points at it. */
  async dataset(asked: Asked): Promise<Created> {
    const { project, principal, bytes } = asked
    const { workers, register, tables, publisher } = this.parts
    const { name, description, digest, order, rows, projects } = await workers.run('dataset', bytes)
    await register.note([project, ...projects])
    await tables.create({ project: projectIdOf(project), digest }, order, rows, principal.userId)
    const value = classValue('Dataset', [
      ['name', name ?? 'Dataset'],
      ['description', description],
      ['rows', refText({ project, kind: 'table', digest })],
    ])
    return answerOf(await publisher.object(authorOf(asked), idOf(name, 'Dataset'), value))
  }

  async scorer(asked: Asked): Promise<Created & { scorer: string }> {
    const { publisher, workers } = this.parts
    const body = await workers.run('scorer', asked.bytes)
    const author = authorOf(asked)
    const id = safeName(body.name)
    const [score, summarize] = await Promise.all([
      publisher.op(author, `${id}_score`, body.op_source_code),
      publisher.op(author, `${id}_summarize`, PLACEHOLDERS.summarize_scores),
    ])
    const value = classValue('Scorer', [
      ['name', body.name],
      ['description', body.description],
      ['score', score.digest],
      ['summarize', summarize.digest],
      ['column_map', null],
    ])
    const made = answerOf(await publisher.object(author, id, value))
    return { ...made, scorer: refOf(asked.project, 'object', id, made.digest) }
  }

  async model(asked: Asked): Promise<Created & { model_ref: string }> {
    const { publisher, workers } = this.parts
    const { body, texts } = await workers.run('model', asked.bytes)
    const author = authorOf(asked)
    const id = safeName(body.name)
    const file = await publisher.source(author, body.source_code)
    const own: [string, JsonTree][] = [
      ['name', body.name],
      ['description', body.description],
      ['files', new Map([[OP_FILE, file]])],
    ]
    const value = classValue('Model', own, texts.attributes)
    const made = answerOf(await publisher.object(author, id, value))
    return { ...made, model_ref: refOf(asked.project, 'object', id, made.digest) }
  }

  /** @throws 404 with those of dataset and scorers that are not there */
  async evaluation(asked: Asked): Promise<Created & { evaluation_ref: string }> {
    const { publisher, finder, workers } = this.parts
    const { body, texts } = await workers.run('evaluation', asked.bytes)
    const author = authorOf(asked)
    const id = safeName(body.name)
    const [dataset, ...scorers] = await targetsOf(finder, asked.principal, [
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
      ['evaluate', evaluate.digest],
      ['predict_and_score', predictAndScore.digest],
      ['summarize', summarize.digest],
    ]
    const value = classValue('Evaluation', own, texts.eval_attributes)
    const made = answerOf(await publisher.object(author, id, value))
    return { ...made, evaluation_ref: refOf(asked.project, 'object', id, made.digest) }
  }
}

/** The id of what is called `name`. */
const idOf = (name: string | null, fallback: string): string => (name === null ? fallback : safeName(name))

/**
 * The JSON text of a value of one of the SDK's own classes.
 * @param attributes JSON text of what the caller adds, over which members of the class win
 */
function classValue(name: string, own: [string, JsonTree][], attributes = 'null'): string {
  const value = treeText(
    new Map<string, JsonTree>([
      ['_type', name],
      ['_class_name', name],
      ['_bases', ['Object', 'BaseModel']],
      ...own,
    ]),
  )
  // Of members with one name the last one counts.
  return attributes === 'null' || attributes === '{}' ? value : `${attributes.slice(0, -1)},${value.slice(1)}`
}
