/** From the bodies of the create routes to objects: checks, names, values. Knows nothing of HTTP. */
import type { Principal } from '../../common/auth/principal.js'
import * as contract from '../../common/contract/evaluation-objects.js'
import { ValidationError } from '../../common/errors/error.js'
import { validate } from '../../common/http/json-body.js'
import { projectIdOf } from '../../common/ids/project.js'
import { rawFields } from '../../common/json/fields.js'
import { JsonNumber, type JsonTree, parseTree, treeValue } from '../../common/json/tree.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { refText } from '../../common/refs/ref.js'
import { bodyTree, reading } from '../lossless.js'
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
    const { name, source_code } = validate(
      contract.ops.create.body!,
      treeValue(bodyTree(asked.bytes)),
      'body',
    )
    const source = source_code ?? SOURCES.op
    return answerOf(await this.parts.publisher.op(authorOf(asked), objectIdOf(name, 'Op'), source))
  }

  /** Rows become a table; the dataset points at it. */
  async dataset(asked: Asked): Promise<Created> {
    const { project, principal, bytes } = asked
    const fields = reading(() => rawFields(bytes))
    if (!fields) bodyTree(bytes)
    const rows = fields!.get('rows')
    const rest = [...fields!].map(([key, { from, to }]) => {
      const isList = key === 'rows' && bytes[from] === 0x5b
      return [key, isList ? [] : treeValue(reading(() => parseTree(bytes.subarray(from, to))))] as const
    })
    const { name, description } = validate(contract.datasets.create.body!, Object.fromEntries(rest), 'body')
    const list = Buffer.from(bytes.buffer, bytes.byteOffset + rows!.from, rows!.to - rows!.from)
    const head = `{"table":{"project_id":${JSON.stringify(project)},"rows":`
    const table = await this.table(Buffer.concat([Buffer.from(head), list, Buffer.from('}}')]), principal)
    const value = new Map<string, JsonTree>([
      ...classValue('Dataset'),
      ['name', name ?? 'Dataset'],
      ['description', description],
      ['rows', refText({ project, kind: 'table', digest: table })],
    ])
    const id = objectIdOf(name, 'Dataset')
    return answerOf(await this.parts.publisher.object(authorOf(asked), id, value))
  }

  async scorer(asked: Asked): Promise<Created & { scorer: string }> {
    const body = validate(contract.scorers.create.body!, treeValue(bodyTree(asked.bytes)), 'body')
    const { publisher } = this.parts
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
    const tree = bodyTree(asked.bytes)
    const body = validate(contract.models.create.body!, treeValue(tree), 'body')
    const { publisher } = this.parts
    const author = authorOf(asked)
    const id = objectIdOf(body.name, 'Model')
    const file = await publisher.source(author, body.source_code)
    const value = new Map<string, JsonTree>([
      ...attributesIn(tree, 'attributes'),
      ...classValue('Model'),
      ['name', body.name],
      ['description', body.description],
      ['files', new Map([[OP_FILE, file]])],
    ])
    const made = answerOf(await publisher.object(author, id, value))
    return { ...made, model_ref: refOf(asked.project, 'object', id, made.digest) }
  }

  /** @throws 404 with those of dataset and scorers that are not there */
  async evaluation(asked: Asked): Promise<Created & { evaluation_ref: string }> {
    const tree = bodyTree(asked.bytes)
    const body = validate(contract.evaluations.create.body!, treeValue(tree), 'body')
    const { publisher, finder } = this.parts
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
      ...attributesIn(tree, 'eval_attributes'),
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
    const made = answerOf(await publisher.object(author, id, value))
    return { ...made, evaluation_ref: refOf(asked.project, 'object', id, made.digest) }
  }

  /** Stores a table, given as the body of `/table/create`; returns its digest. */
  private async table(body: Uint8Array, principal: Principal): Promise<string> {
    try {
      const { project, digest, rowDigests, rows, projects } = await this.parts.workers.run('table', body)
      await this.parts.register.note([project, ...projects])
      await this.parts.tables.create(
        { project: projectIdOf(project), digest },
        rowDigests,
        rows,
        principal.userId,
      )
      return digest
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      // The rows stand one level higher in the body that was sent.
      throw new ValidationError(
        error.violations.map((one) => ({
          ...one,
          loc: one.loc.filter((part, i) => i !== 1 || part !== 'table'),
        })),
      )
    }
  }
}

/** Attributes become keys of the value; those that the service sets itself win. */
function attributesIn(tree: ReadonlyMap<string, JsonTree>, key: string): [string, JsonTree][] {
  const attributes = tree.get(key)
  return attributes instanceof Map ? [...attributes] : []
}
