/**
 * The plan of an evaluation that the server runs: its models and scorers as of the request, and references to its
 * inputs. The request's handler writes it, the worker reads it. Contains no secrets and knows no storage.
 */
import { z } from 'zod'
import { SIGNALS } from '../../contract/monitors.js'

/** Calls that are read at once where nothing is known of their sizes. */
export const AT_ONCE = 200

const json = z.record(z.string(), z.unknown())

/** A model that answers chat completions. */
export const modelPlan = z.object({
  /** its name in its object */
  name: z.string(),
  /** where it runs: at a provider of the project, or in this service's chat */
  at: z.enum(['provider', 'service']),
  /** projects of the trained models that it uses; the run must be able to read them */
  reads: z.array(z.string()),
  /** with `{variables}` in their texts */
  messages: z.array(json),
  /** request fields besides model and messages */
  params: json,
  /** the answer's format */
  format: z.enum(['text', 'json']),
  /** JSON schema (text) of a JSON answer; null: anything */
  schema: z.string().nullable(),
})
export type ModelPlan = z.infer<typeof modelPlan>

/** How a remote scorer knows who asks, as the SDK's class has it; secrets by their names. */
export const remoteAuth = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('static_bearer'), bearer_secret_name: z.string() }),
  z.object({
    mode: z.literal('oauth_client_credentials'),
    token_endpoint_url: z.string(),
    client_id: z.string(),
    client_secret_name: z.string(),
    scope: z.string().nullable().default(null),
  }),
])

/** What a scorer compares the output with, and the path of the compared part of the output. */
const target = { target: z.string(), path: z.string() }
const rules = [
  z.object({ ...target, kind: z.literal('exact'), ignore_case: z.boolean(), trim: z.boolean() }),
  z.object({
    ...target,
    kind: z.literal('contains'),
    /** used instead of the target */
    texts: z.array(z.string()).nullable(),
    all: z.boolean(),
    ignore_case: z.boolean(),
  }),
  z.object({
    path: z.string(),
    kind: z.literal('regex'),
    pattern: z.string(),
    ignore_case: z.boolean(),
    whole: z.boolean(),
  }),
  z.object({ path: z.string(), kind: z.literal('schema'), schema: z.string() }),
  z.object({ ...target, kind: z.literal('numeric'), absolute: z.number(), relative: z.number() }),
  z.object({
    ...target,
    kind: z.literal('similarity'),
    threshold: z.number().nullable(),
    ignore_case: z.boolean(),
  }),
  z.object({ path: z.string(), kind: z.literal('signal'), signal: z.enum(SIGNALS) }),
  z.object({
    kind: z.literal('remote'),
    endpoint: z.string(),
    config: json.nullable(),
    auth: remoteAuth.nullable(),
  }),
  z.object({
    kind: z.literal('judge'),
    model: modelPlan,
    /** with `{variables}` in their texts */
    messages: z.array(json),
  }),
  z.object({
    kind: z.literal('classifier'),
    model: modelPlan,
    /** all that one request asks about, this scorer's among them; by the names of their scorers */
    classifiers: z.array(z.object({ name: z.string(), prompt: z.string() })),
  }),
  z.object({
    kind: z.literal('rubric'),
    model: modelPlan,
    instructions: z.string(),
    scale: z.object({ min: z.number(), max: z.number() }),
    criteria: z.array(z.object({ name: z.string(), description: z.string(), weight: z.number() })),
  }),
] as const

/** How a scorer computes its score. */
export const rule = z.discriminatedUnion('kind', [...rules])
export type Rule = z.infer<typeof rule>

/** What a judge scores answers by. */
export type RubricRule = Extract<Rule, { kind: 'rubric' }>

export const scorerPlan = z.object({
  ref: z.string(),
  /** the key of its scores */
  name: z.string(),
  /** ref of the op of its calls */
  op: z.string(),
  /** the scorer's name of a column → the row's name */
  columns: z.record(z.string(), z.string()),
  rule,
})
export type ScorerPlan = z.infer<typeof scorerPlan>

/** Scores existing calls. */
const scorePlan = z.object({
  v: z.literal(1),
  kind: z.literal('score'),
  calls: z.array(z.string()),
  scorers: z.array(scorerPlan),
})
export type ScorePlan = z.infer<typeof scorePlan>

/** The calls that one monitor matched. */
const matchesPlan = z.object({
  ref: z.string(),
  /** name of its object, the same for all versions: of two plans with the same call one gives it a score */
  name: z.string(),
  /** ids, and when each began: µs since the epoch; of calls that are scored as one, the first of them */
  calls: z.array(z.tuple([z.string(), z.number()])),
  /** whether they are turns of agents */
  turns: z.boolean().default(false),
  /** of its scores only those that are true are kept, as feedback without a call of the scorer */
  foundOnly: z.boolean().default(false),
  /** calls that are scored as one with a call, this one among them, in order */
  together: z.record(z.string(), z.array(z.string())),
  scorers: z.array(scorerPlan),
})
export type MatchesPlan = z.infer<typeof matchesPlan>

/** Scores what monitors matched. */
const monitorPlan = z.object({
  v: z.literal(1),
  kind: z.literal('monitor'),
  /** µs since the epoch; no score of these calls began before */
  since: z.number(),
  /** calls that are read, scored and stored at once, as their sizes allow */
  atOnce: z.int().min(1).default(AT_ONCE),
  matches: z.array(matchesPlan),
})
export type MonitorPlan = z.infer<typeof monitorPlan>

/** Fields common to all runs. */
const run = {
  v: z.literal(1),
  /** refs */
  evaluation: z.string(),
  model: z.string(),
  /** refs of the ops of its calls */
  ops: z.object({ trial: z.string(), summarize: z.string(), predict: z.string() }),
  scorers: z.array(scorerPlan),
}
/** Runs a model on every row of a dataset. */
const evaluatePlan = z.object({
  ...run,
  kind: z.literal('evaluate'),
  predict: modelPlan,
  /** ref of the dataset, and its table: the project's internal id, and the digest */
  dataset: z.object({ ref: z.string(), project: z.string(), table: z.string() }),
  trials: z.int().min(1),
})
export type EvaluatePlan = z.infer<typeof evaluatePlan>
/** Scores the predictions of another run. */
const rescorePlan = z.object({ ...run, kind: z.literal('rescore'), source: z.string() })
export type RescorePlan = z.infer<typeof rescorePlan>

export const plan = z.discriminatedUnion('kind', [scorePlan, monitorPlan, evaluatePlan, rescorePlan])
export type Plan = z.infer<typeof plan>

const scorersOf = (one: Plan): ScorerPlan[] =>
  one.kind === 'monitor' ? one.matches.flatMap(({ scorers }) => scorers) : one.scorers

/** True if it waits for a model, or for a scorer that a user runs. */
export const asksOthers = (one: Plan): boolean =>
  modelsOf(one).length > 0 || scorersOf(one).some(({ rule: { kind } }) => kind === 'remote')

/** The models that a plan uses. */
export function modelsOf(one: Plan): ModelPlan[] {
  const judges = scorersOf(one).flatMap(({ rule }) => ('model' in rule ? [rule.model] : []))
  return one.kind === 'evaluate' ? [one.predict, ...judges] : judges
}
