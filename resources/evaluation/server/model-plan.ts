/** Makes plans from models' objects: reads their class and settings, and finds the provider. */
import { z } from 'zod'
import { parseRef } from '../../../contract/ref.js'
import type { ModelPlan } from '../../../domain/evaluation/plan.js'
import { parseModelName } from '../../../domain/training/model-name.js'
import { liveModel } from '../../../domain/training/models.js'
import { errors } from '../../../platform/errors/catalog.js'
import { HeddleError } from '../../../platform/errors/error.js'
import { type JsonTree, treeText, treeValue } from '../../../platform/json/tree.js'
import { schemaCheck } from '../../../platform/json-schema/check.js'
import type { Fields } from '../../objects/values.js'
import type { Parts } from '../../parts.js'
import type { Requester } from '../parts.js'
import { isRef } from '../runs.js'
import { classOf, notRunnable, objectsAt } from './object-values.js'

const MODEL_CLASS = 'LLMStructuredCompletionModel'

const number = z.number().nullish()
const Message = z.looseObject({ role: z.string() })
const ModelFields = z.object({
  llm_model_id: z.string().min(1),
  default_params: z
    .object({
      messages_template: z.array(Message).nullish(),
      prompt: z.string().nullish(),
      temperature: number,
      top_p: number,
      max_tokens: number,
      presence_penalty: number,
      frequency_penalty: number,
      stop: z.array(z.string()).nullish(),
      functions: z.array(z.record(z.string(), z.unknown())).nullish(),
      response_format: z.enum(['json_object', 'json_schema', 'text']).nullish(),
      /** this service's own field */
      json_schema: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
})

/** The request fields that a model may set. */
const PARAMS = [
  'temperature',
  'top_p',
  'max_tokens',
  'presence_penalty',
  'frequency_penalty',
  'stop',
  'functions',
] as const

/**
 * Makes the plan of the model under `ref`.
 * @param schema JSON schema of its answers, as text, in place of the model's own
 * @throws `NOT_RUNNABLE` (400) for a class that is code, and for values that the class does not allow
 */
export async function modelPlanOf(
  parts: Parts,
  requester: Requester,
  ref: string,
  model: Fields,
  schema?: string,
): Promise<ModelPlan> {
  const className = classOf(model)
  if (className !== MODEL_CLASS)
    throw notRunnable(
      'model',
      ref,
      `it is ${className === '' || className === 'Model' ? 'Python code' : `of the class ${className}, which is Python code`}; publish an ${MODEL_CLASS}`,
    )
  const read = ModelFields.safeParse(treeValue(new Map(model)))
  if (!read.success)
    throw notRunnable('model', ref, `its ${read.error.issues[0]?.path.join('.')} is not what it should be`)
  const { llm_model_id: name, default_params: given } = read.data
  const params = given ?? {}
  const own = params.json_schema ? textAt(model, ['default_params', 'json_schema']) : null
  const shape = schema ?? own
  if (shape !== null) checkSchema('model', ref, shape)
  const messages = params.prompt
    ? await promptAt(parts, requester, params.prompt)
    : (params.messages_template ?? [])
  const sent = PARAMS.flatMap((key) => {
    const value = params[key]
    const empty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
    return empty ? [] : [[key, value] as const]
  })
  const json =
    shape !== null || params.response_format === 'json_object' || params.response_format === 'json_schema'
  return {
    ...(await whoAnswers(parts, requester, ref, name)),
    messages,
    params: Object.fromEntries(sent),
    format: json ? 'json' : 'text',
    schema: shape,
  }
}

/** The messages of a prompt object: a list of messages, or a text, which is the user's. */
export async function promptAt(parts: Parts, { principal }: Requester, ref: string): Promise<Message[]> {
  const [prompt] = await objectsAt(parts, principal, [ref])
  return messagesOf(prompt!.value, ref)
}

type Message = Record<string, unknown>

/** The messages of a prompt's value. */
export function messagesOf(value: JsonTree | Fields, ref: string): Message[] {
  const fields = value instanceof Map ? value : new Map<string, JsonTree>()
  const content = fields.get('content')
  if (typeof content === 'string') return [{ role: 'user', content }]
  const read = z.array(Message).safeParse(treeValue(fields.get('messages') ?? null))
  if (read.success) return read.data
  throw notRunnable('prompt', ref, 'it has no messages')
}

/** @throws 400 with the object that has the schema */
export function checkSchema(what: string, ref: string, schema: string): void {
  try {
    schemaCheck(schema)
  } catch (error) {
    throw notRunnable(what, ref, `its JSON schema is invalid (${(error as Error).message})`)
  }
}

/** JSON text of a member, as written. */
export function textAt(value: Fields, path: readonly string[]): string {
  let here: JsonTree | undefined = new Map(value)
  for (const key of path) here = here instanceof Map ? here.get(key) : undefined
  return treeText(here ?? null)
}

/** The project's provider of a model, or this service, if it serves the model and the caller may use it. */
async function whoAnswers(
  { providers, store }: Parts,
  { project, principal }: Requester,
  ref: string,
  given: string,
): Promise<Pick<ModelPlan, 'name' | 'at' | 'reads'>> {
  const name = isRef(given) ? objectNamed(project, ref, given) : given
  if (!principal.mayAsk(name)) throw errors.modelNotAllowed(name)
  try {
    await providers.find(project, name)
    return { name, at: 'provider', reads: [] }
  } catch (error) {
    const nobody = error instanceof HeddleError && error.code === 'NO_PROVIDER'
    if (!nobody || isRef(given) || name.startsWith('custom::')) throw error
  }
  const served = parseModelName(name)
  const trained =
    served?.kind === 'artifact'
      ? served
      : served?.kind === 'id'
        ? await liveModel(store, served.id)
        : undefined
  if (!trained) return { name, at: 'service', reads: [] }
  const of = `${trained.entity}/${trained.project}`
  principal.must('read', of)
  return { name, at: 'service', reads: [of] }
}

/** The object id in a ref. Another project's providers are refused: this project may not use their keys. */
function objectNamed(project: string, model: string, ref: string): string {
  const target = parseRef(ref)
  if (target.kind === 'object' && target.project === project) return target.name
  throw notRunnable('model', model, `its llm_model_id ${ref} is no model of a provider of ${project}`)
}
