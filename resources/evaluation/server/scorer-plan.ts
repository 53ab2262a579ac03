/** Makes plans from scorers' objects: reads their class and everything that it needs. */
import { z } from 'zod'
import { SIGNALS } from '../../../contract/monitors.js'
import {
  type ModelPlan,
  type Rule,
  remoteAuth,
  rule as ruleSchema,
  type ScorerPlan,
} from '../../../domain/evaluation/plan.js'
import { rubricSchema } from '../../../domain/evaluation/rubric.js'
import { isPlain, type PlainRule, scoring } from '../../../domain/evaluation/scoring/score.js'
import { JsonNumber, type JsonTree, treeValue } from '../../../platform/json/tree.js'
import type { Parts } from '../../parts.js'
import type { Requester } from '../parts.js'
import { isRef } from '../runs.js'
import { checkSchema, messagesOf, modelPlanOf, promptAt, textAt } from './model-plan.js'
import { notRunnable, type ObjectValue, objectsAt } from './object-values.js'

/** A field that defaults to `fallback` if it is absent or null. */
const or = <Type extends z.ZodType, Fallback>(type: Type, fallback: Fallback) =>
  type.nullish().transform((value) => value ?? fallback)

const target = or(z.string(), 'expected')
const path = or(z.string(), '')
const ignore_case = or(z.boolean(), false)
const amount = or(z.number().min(0), 0)
const object = z.record(z.string(), z.unknown())

/** The classes without a model: the kind of their rule, and their fields. */
const CLASSES: Record<string, { kind: PlainRule['kind']; fields: z.ZodType<object> }> = {
  ExactMatchScorer: {
    kind: 'exact',
    fields: z.object({ target, path, ignore_case, trim: or(z.boolean(), false) }),
  },
  ContainsScorer: {
    kind: 'contains',
    fields: z.object({
      ...{ target, path, ignore_case, all: or(z.boolean(), true) },
      texts: or(z.array(z.string()).min(1), null),
    }),
  },
  RegexScorer: {
    kind: 'regex',
    fields: z.object({ path, ignore_case, pattern: z.string(), whole: or(z.boolean(), false) }),
  },
  SignalScorer: { kind: 'signal', fields: z.object({ path, signal: z.enum(SIGNALS) }) },
  JsonSchemaScorer: { kind: 'schema', fields: z.object({ path, schema: object }) },
  NumericToleranceScorer: {
    kind: 'numeric',
    fields: z.object({ target, path, absolute: amount, relative: amount }),
  },
  TextSimilarityScorer: {
    kind: 'similarity',
    fields: z.object({ target, path, ignore_case, threshold: or(z.number().min(0).max(1), null) }),
  },
}

const JUDGE_CLASS = 'LLMAsAJudgeScorer'
const REMOTE_CLASS = 'RemoteScorer'
const RUBRIC_CLASS = 'Rubric'
const KNOWN = [...Object.keys(CLASSES), JUDGE_CLASS, REMOTE_CLASS, RUBRIC_CLASS]

/** As the SDK's class of this name has it. */
const Remote = z.object({
  endpoint_url: z.string(),
  config: object.nullish(),
  auth_config: remoteAuth.nullish(),
})

const Judge = z.object({
  model: z.union([z.string(), object]),
  scoring_prompt: z.union([z.string(), object]),
  output_schema: object.nullish(),
})
const Criterion = z.object({
  // Validators of JSON schemas skip a property of that name.
  name: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => name !== '__proto__'),
  description: or(z.string().max(10_000), ''),
  weight: or(z.number().gt(0).max(1000), 1),
})
const RubricFields = z.object({
  model: z.union([z.string(), object]),
  instructions: or(z.string().max(100_000), ''),
  scale: or(
    z.object({ min: z.number(), max: z.number() }).refine(({ min, max }) => min < max),
    { min: 0, max: 10 },
  ),
  criteria: z
    .array(Criterion)
    .min(1)
    .max(20)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
})
const Columns = z.object({ column_map: z.record(z.string(), z.string()).nullish() })

/**
 * Makes the scorer's plan, except the op of its calls.
 * @throws `NOT_RUNNABLE` (400) for a class that is code, and for values that a class does not allow
 */
export async function scorerPlanOf(
  parts: Parts,
  requester: Requester,
  scorer: ObjectValue,
): Promise<Omit<ScorerPlan, 'op'>> {
  const { ref, name, value } = scorer
  const columns = fieldsOf(Columns, scorer).column_map ?? {}
  const rule = await ruleOf(parts, requester, scorer)
  try {
    if (isPlain(rule)) scoring(rule)
  } catch (error) {
    throw notRunnable(
      'scorer',
      ref,
      `${value.has('schema') ? 'its JSON schema is invalid' : 'its pattern is invalid'} (${(error as Error).message})`,
    )
  }
  return { ref, name, columns, rule }
}

/** Checks a scorer before anything is read or created for it. @throws 400 if it is code */
export function checkScorer({ kind, className, ref }: ObjectValue): void {
  if (kind === 'object' && KNOWN.includes(className)) return
  const what = kind === 'op' || className === 'Scorer' || className === '' ? '' : ` (${className})`
  throw notRunnable('scorer', ref, `it is Python code${what}; publish one of ${KNOWN.join(', ')}`)
}

async function ruleOf(parts: Parts, requester: Requester, scorer: ObjectValue): Promise<Rule> {
  checkScorer(scorer)
  const known = Object.hasOwn(CLASSES, scorer.className) ? CLASSES[scorer.className] : undefined
  if (scorer.className === REMOTE_CLASS) return remote(parts, scorer)
  if (scorer.className === RUBRIC_CLASS) return rubric(parts, requester, scorer)
  if (!known) return judge(parts, requester, scorer)
  const { kind, fields } = known
  const made = { kind, ...fieldsOf(fields, scorer) }
  // A schema keeps its original text.
  return ruleSchema.parse(kind === 'schema' ? { ...made, schema: textAt(scorer.value, ['schema']) } : made)
}

/** @throws 400 for an address that may not be asked */
function remote(parts: Parts, scorer: ObjectValue): Rule {
  const { endpoint_url: endpoint, config = null, auth_config: auth = null } = fieldsOf(Remote, scorer)
  parts.outbound.check(endpoint)
  if (auth?.mode === 'oauth_client_credentials') parts.outbound.check(auth.token_endpoint_url)
  return { kind: 'remote', endpoint, config, auth }
}

async function judge(parts: Parts, requester: Requester, scorer: ObjectValue): Promise<Rule> {
  const { model, scoring_prompt: prompt, output_schema } = fieldsOf(Judge, scorer)
  const schema = output_schema ? textAt(scorer.value, ['output_schema']) : undefined
  if (schema !== undefined) checkSchema('scorer', scorer.ref, schema)
  return {
    kind: 'judge',
    model: await judging(parts, requester, scorer, model, schema),
    messages: await promptOf(parts, requester, scorer, prompt),
  }
}

/** A rubric's model may be a name alone: of one that is served here, or a provider's. */
async function rubric(parts: Parts, requester: Requester, scorer: ObjectValue): Promise<Rule> {
  const { model, ...rest } = fieldsOf(RubricFields, scorer)
  const schema = rubricSchema(rest)
  const asked =
    typeof model === 'string' && !isRef(model)
      ? await modelPlanOf(parts, requester, `${scorer.ref}/attr/model`, modelNamed(model), schema)
      : await judging(parts, requester, scorer, model, schema)
  return { kind: 'rubric', model: asked, ...rest }
}

/** A model of this name that always gives its likeliest answer. */
const modelNamed = (name: string): ReadonlyMap<string, JsonTree> =>
  new Map<string, JsonTree>([
    ['_class_name', 'LLMStructuredCompletionModel'],
    ['llm_model_id', name],
    ['default_params', new Map<string, JsonTree>([['temperature', new JsonNumber('0')]])],
  ])

/** The plan of the model that a scorer names by its ref, or holds itself. */
async function judging(
  parts: Parts,
  requester: Requester,
  scorer: ObjectValue,
  model: string | Record<string, unknown>,
  schema: string | undefined,
): Promise<ModelPlan> {
  const given = scorer.value.get('model')
  const [asked] = typeof model === 'string' ? await objectsAt(parts, requester.principal, [model]) : []
  const embedded: ReadonlyMap<string, JsonTree> = given instanceof Map ? given : new Map()
  const ref = asked?.ref ?? `${scorer.ref}/attr/model`
  return modelPlanOf(parts, requester, ref, asked?.value ?? embedded, schema)
}

async function promptOf(
  parts: Parts,
  requester: Requester,
  scorer: ObjectValue,
  prompt: string | Record<string, unknown>,
): Promise<Record<string, unknown>[]> {
  if (typeof prompt !== 'string') return messagesOf(scorer.value.get('scoring_prompt') ?? null, scorer.ref)
  return isRef(prompt) ? promptAt(parts, requester, prompt) : [{ role: 'user', content: prompt }]
}

function fieldsOf<S extends z.ZodType>(schema: S, { ref, value }: ObjectValue): z.output<S> {
  const read = schema.safeParse(treeValue(new Map(value)))
  if (read.success) return read.data
  throw notRunnable('scorer', ref, `its ${read.error.issues[0]?.path.join('.')} is not what it should be`)
}
