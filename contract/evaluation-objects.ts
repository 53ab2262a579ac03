/** Declarations of the parts of an evaluation, as views over objects: ops, datasets, scorers, models, evaluations. */
import { z } from 'zod'
import { type RouteSpec, route } from '../platform/http/route.js'
import { objectId } from './objects.js'
import {
  component,
  digest,
  inProjectPath,
  listPage,
  longText,
  many,
  orNull,
  shortText,
  timeOut,
} from './shared.js'

const name = (what: string) =>
  shortText.min(1).describe(`of the ${what}; the same name creates a new version`)
const text = orNull(longText)
const ref = shortText.describe('weave:///entity/project/object/name:digest')
const anything = z.record(z.string(), z.unknown())

const version = {
  object_id: z.string(),
  digest: z.string(),
  version_index: z.int(),
}
const read = { ...version, created_at: timeOut }
const described = { ...read, name: z.string(), description: z.string().nullable() }
const created = <Shape extends z.ZodRawShape>(id: string, more: Shape) =>
  component(id, { ...version, ...more })

const params = z.object({ ...inProjectPath, object_id: objectId })
const ofVersion = z.object({ ...inProjectPath, object_id: objectId, digest })
const deletion = z.object({
  digests: many.describe('versions; repeat the parameter for several; default: all'),
})

/** The four operations on a kind of object. Bodies are parsed by hand, so that user data keeps its digits. */
function resource<Body extends z.ZodType, Created extends z.ZodType, Read extends z.ZodType>(kind: {
  tag: string
  /** used in operation ids: `op` */
  id: string
  /** used in schema ids: `Op` */
  schema: string
  path: string
  one: string
  body: Body
  created: Created
  read: Read
  /** the query of a read */
  readQuery?: z.ZodType
}) {
  const base = `/v2/{entity}/{project}/${kind.path}`
  const shared = { tag: kind.tag, project: 'path' } as const
  const readSpec = {
    ...shared,
    id: `${kind.id}_read`,
    method: 'GET',
    path: `${base}/{object_id}/versions/{digest}`,
    summary: `Read a version of ${kind.one} by digest, \`latest\`, \`v<index>\` or alias`,
    access: 'read',
    params: ofVersion,
    answer: kind.read,
  } satisfies RouteSpec
  return {
    create: route({
      ...shared,
      id: `${kind.id}_create`,
      method: 'POST',
      path: base,
      summary: `Create a version of ${kind.one}`,
      access: 'write',
      params: z.object(inProjectPath),
      raw: true,
      body: kind.body,
      answer: kind.created,
    }),
    list: route({
      ...shared,
      id: `${kind.id}_list`,
      method: 'GET',
      path: base,
      summary: `List the versions of every ${kind.id} as JSON lines, oldest first`,
      access: 'read',
      params: z.object(inProjectPath),
      query: z.object(listPage),
      answer: kind.read,
      produces: 'application/jsonl',
    }),
    read: route(kind.readQuery ? { ...readSpec, query: kind.readQuery } : readSpec),
    remove: route({
      ...shared,
      id: `${kind.id}_delete`,
      audit: { category: 'deletion', names: ['params.object_id', 'query.digests'] },
      method: 'DELETE',
      path: `${base}/{object_id}`,
      summary: `Delete versions of ${kind.one}; without digests, all`,
      access: 'write',
      params,
      query: deletion,
      answer: component(`${kind.schema}DeleteRes`, { num_deleted: z.int() }),
    }),
  }
}

export const ops = resource({
  tag: 'Ops',
  id: 'op',
  schema: 'Op',
  path: 'ops',
  one: 'an op',
  body: component('OpCreateBody', { name: orNull(shortText), source_code: text }),
  created: created('OpCreateRes', {}),
  read: component('OpReadRes', { ...read, code: z.string() }),
  readQuery: z.object({
    eager: z.stringbool().default(false).meta({ type: 'boolean', description: 'has no effect' }),
  }),
})

export const datasets = resource({
  tag: 'Datasets',
  id: 'dataset',
  schema: 'Dataset',
  path: 'datasets',
  one: 'a dataset',
  body: component('DatasetCreateBody', {
    name: orNull(shortText),
    description: text,
    rows: z.array(anything).describe('objects; numbers keep their exact text'),
  }),
  created: created('DatasetCreateRes', {}),
  read: component('DatasetReadRes', {
    ...described,
    rows: z.string().describe('the ref of the table of rows'),
  }),
})

export const scorers = resource({
  tag: 'Scorers',
  id: 'scorer',
  schema: 'Scorer',
  path: 'scorers',
  one: 'a scorer',
  body: component('ScorerCreateBody', {
    name: name('scorer'),
    description: text,
    op_source_code: longText,
  }),
  created: created('ScorerCreateRes', { scorer: ref }),
  read: component('ScorerReadRes', {
    ...described,
    score_op: z.string().describe('the digest of the op, or its ref if an SDK created it'),
  }),
})

export const models = resource({
  tag: 'Models',
  id: 'model',
  schema: 'Model',
  path: 'models',
  one: 'a model',
  body: component('ModelCreateBody', {
    name: name('model'),
    description: text,
    source_code: longText,
    attributes: orNull(anything),
  }),
  created: created('ModelCreateRes', { model_ref: ref }),
  read: component('ModelReadRes', {
    ...described,
    source_code: z.string().describe('empty if the model has no source'),
    attributes: anything.nullable(),
  }),
})

export const evaluations = resource({
  tag: 'Evaluations',
  id: 'evaluation',
  schema: 'Evaluation',
  path: 'evaluations',
  one: 'an evaluation',
  body: component('EvaluationCreateBody', {
    name: name('evaluation'),
    description: text,
    dataset: ref,
    scorers: orNull(z.array(ref).max(1000)),
    trials: z.int().min(1).default(1),
    evaluation_name: orNull(shortText).describe('the display name of its runs'),
    eval_attributes: orNull(anything),
  }),
  created: created('EvaluationCreateRes', { evaluation_ref: ref }),
  read: component('EvaluationReadRes', {
    ...described,
    dataset: z.string(),
    scorers: z.array(z.string()),
    trials: z.int(),
    evaluation_name: z.string().nullable(),
    evaluate_op: z.string().nullable(),
    predict_and_score_op: z.string().nullable(),
    summarize_op: z.string().nullable(),
  }),
})
