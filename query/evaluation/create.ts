/** From the bodies of the create routes to objects: names, values, what they point at. Knows nothing of HTTP. */
import type { Principal } from '../../common/auth/principal.js'
import { projectIdOf } from '../../common/ids/project.js'
import { JsonNumber, type JsonTree } from '../../common/json/tree.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { refText } from '../../common/refs/ref.js'
import type { VersionFinder } from '../objects/find.js'
import type { Version } from '../objects/versions.js'
import type { TableWriter } from '../tables/writer.js'
import type { Workers } from '../workers/workers.js'
import { objectIdOf } from './names.js'
import { type Author, classValue, OP_FILE, type Publisher, refOf } from './publish.js'
import { SOURCES } from './sources.js'
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
    const source = source_code ?? SOURCES.op
    return answerOf(await this.parts.publisher.op(authorOf(asked), objectIdOf(name, 'Op'), source))
  }

  /** Rows become a table; the dataset points at it. */
  async dataset(asked: Asked): Promise<Created> {
    const { project, principal, bytes } = asked
    const { workers, register, tables, publisher } = this.parts
    const { name, description, digest, order, rows, projects } = await workers.run('dataset', bytes)
    await register.note([project, ...projects])
    await tables.create({ project: projectIdOf(project), digest }, order, rows, principal.userId)
    const value = new Map<string, JsonTree>([
      ...classValue('Dataset'),
      ['name', name ?? 'Dataset'],
      ['description', description],
      ['rows', refText({ project, kind: 'table', digest })],
    ])
    return answerOf(await publisher.object(authorOf(asked), objectIdOf(name, 'Dataset'), value))
  }

  async scorer(asked: Asked): Promise<Created & { scorer: string }> {
    const { publisher, workers } = this.parts
    const body = await workers.run('scorer', asked.bytes)
    const author = authorOf(asked)
    const id = objectIdOf(body.name, 'Scorer')
    const [score, summarize] = await Promise.all([
      publisher.op(author, `${id}_score`, body.op_source_code),
      publisher.op(author, `${id}_summarize`, SOURCES.summarize_scores),
    ])
    const value = new Map<string, JsonTree>([
      ...classValue('Scorer'),
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
    const id = objectIdOf(body.name, 'Model')
    const file = await publisher.source(author, body.source_code)
    const value = new Map<string, JsonTree>([
      ...classValue('Model'),
      ['name', body.name],
      ['description', body.description],
      ['files', new Map([[OP_FILE, file]])],
    ])
    const made = answerOf(await publisher.object(author, id, value, given(texts.attributes)))
    return { ...made, model_ref: refOf(asked.project, 'object', id, made.digest) }
  }

  /** @throws 404 with those of dataset and scorers that are not there */
  async evaluation(asked: Asked): Promise<Created & { evaluation_ref: string }> {
    const { publisher, finder, workers } = this.parts
    const { body, texts } = await workers.run('evaluation', asked.bytes)
    const author = authorOf(asked)
    const id = objectIdOf(body.name, 'Evaluation')
    const [dataset, ...scorers] = await targetsOf(finder, asked.principal, [
      body.dataset,
      ...(body.scorers ?? []),
    ])
    const [evaluate, predictAndScore, summarize] = await Promise.all([
      publisher.op(author, `${id}.evaluate`, SOURCES.evaluate),
      publisher.op(author, `${id}.predict_and_score`, SOURCES.predict_and_score),
      publisher.op(author, `${id}.summarize`, SOURCES.summarize),
    ])
    const value = new Map<string, JsonTree>([
      ...classValue('Evaluation'),
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
    ])
    const made = answerOf(await publisher.object(author, id, value, given(texts.eval_attributes)))
    return { ...made, evaluation_ref: refOf(asked.project, 'object', id, made.digest) }
  }
}

/** Attributes become keys of the value; those that the service sets itself win. */
function given(attributes: string | undefined): string {
  return attributes === undefined || attributes === 'null' ? '{}' : attributes
}
