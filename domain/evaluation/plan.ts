/**
 * What an evaluation that the server runs has to do: models and scorers as they were when it was asked for, and names
 * of what it reads. Written by who takes the request, read by who does the work. Holds no secrets and knows no storage.
 */
import { z } from 'zod'

const json = z.record(z.string(), z.unknown())

/** A model that is asked for chat completions. */
export const modelPlan = z.object({
  /** as its object calls it */
  name: z.string(),
  /** who is asked: a provider of the project, or the chat of this service */
  at: z.enum(['provider', 'service']),
  /** projects whose trained models it is, which the run must be able to read */
  reads: z.array(z.string()),
  /** with `{variables}` in their texts */
  messages: z.array(json),
  /** fields of the request besides model and messages */
  params: json,
  /** what the answer is */
  format: z.enum(['text', 'json']),
  /** JSON text of what a JSON answer must fit; null: anything */
  schema: z.string().nullable(),
})
export type ModelPlan = z.infer<typeof modelPlan>

/** Where a scorer finds what it compares the output with, and which part of the output that is. */
const target = { target: z.string(), path: z.string() }
const rules = [
  z.object({ ...target, kind: z.literal('exact'), ignore_case: z.boolean(), trim: z.boolean() }),
  z.object({
    ...target,
    kind: z.literal('contains'),
    /** instead of the target */
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
  z.object({
    kind: z.literal('judge'),
    model: modelPlan,
    /** with `{variables}` in their texts */
    messages: z.array(json),
  }),
] as const

/** How a scorer comes to its score. */
export const rule = z.discriminatedUnion('kind', [...rules])
export type Rule = z.infer<typeof rule>

export const scorerPlan = z.object({
  ref: z.string(),
  /** the key of its scores */
  name: z.string(),
  /** ref of the op that its calls name */
  op: z.string(),
  /** what the scorer calls a column of a row → what the row calls it */
  columns: z.record(z.string(), z.string()),
  rule,
})
export type ScorerPlan = z.infer<typeof scorerPlan>

/** Scores calls that there are. */
const scorePlan = z.object({
  v: z.literal(1),
  kind: z.literal('score'),
  calls: z.array(z.string()),
  scorers: z.array(scorerPlan),
})
export type ScorePlan = z.infer<typeof scorePlan>

/** What runs have in common. */
const run = {
  v: z.literal(1),
  /** refs */
  evaluation: z.string(),
  model: z.string(),
  /** refs of the ops that calls name */
  ops: z.object({ trial: z.string(), summarize: z.string(), predict: z.string() }),
  scorers: z.array(scorerPlan),
}
/** Asks a model about every row of a dataset. */
const evaluatePlan = z.object({
  ...run,
  kind: z.literal('evaluate'),
  predict: modelPlan,
  /** ref of the dataset, and its table: internal id of the project, digest */
  dataset: z.object({ ref: z.string(), project: z.string(), table: z.string() }),
  trials: z.int().min(1),
})
export type EvaluatePlan = z.infer<typeof evaluatePlan>
/** Scores the predictions of another run. */
const rescorePlan = z.object({ ...run, kind: z.literal('rescore'), source: z.string() })
export type RescorePlan = z.infer<typeof rescorePlan>

export const plan = z.discriminatedUnion('kind', [scorePlan, evaluatePlan, rescorePlan])
export type Plan = z.infer<typeof plan>

/** The models that a plan asks. */
export function modelsOf(one: Plan): ModelPlan[] {
  const judges = one.scorers.flatMap(({ rule }) => (rule.kind === 'judge' ? [rule.model] : []))
  return one.kind === 'evaluate' ? [one.predict, ...judges] : judges
}
