/** A score of Langfuse's SDKs as feedback: what its value may be, and what is stored of it. Pure. */
import {
  type LangfuseScoreIn,
  LangfuseScoreIn as Schema,
  type ScoreDataType,
} from '../../contract/langfuse-scores.js'
import { derivedId } from '../../platform/ids/derived.js'
import { isObject } from '../../platform/json/object.js'
import { problemBy, type ScoreRules } from './score-config.js'

/** The types of feedback that are scores are this and the score's name. */
export const LANGFUSE_TYPE = 'langfuse.'
const LONGEST_TEXT = 500
const NO_CONFIGS: ReadonlyMap<string, ScoreRules> = new Map()

/** A checked score, as the payload of its feedback has it. */
export interface LangfuseScore
  extends Omit<LangfuseScoreIn, 'id' | 'value' | 'dataType' | 'metadata' | 'name' | 'timestamp'> {
  id: string
  name: string
  dataType: ScoreDataType
  /** 0 or 1 of a boolean */
  value: number | string
  metadata: Record<string, unknown> | undefined
  /** of a category, in its config */
  number?: number
  /** ISO 8601; undefined: now */
  timestamp: string | undefined
}

/** The id of the config that a score names; undefined: none. */
export function configIdOf(given: unknown): string | undefined {
  const id = isObject(given) ? (given as { configId?: unknown }).configId : undefined
  return typeof id === 'string' ? id : undefined
}

/**
 * Checks a score.
 * @param id of a score without one
 * @param configs at least the one that it names, by their ids
 * @returns the score, or what is wrong with it
 */
export function checkedScore(
  given: unknown,
  id: string,
  configs: ReadonlyMap<string, ScoreRules> = NO_CONFIGS,
): LangfuseScore | string {
  const { success, data, error } = Schema.safeParse(given)
  if (!success) {
    const [issue] = error.issues
    return `${issue?.path.join('.') || 'The score'}: ${issue?.message ?? 'invalid'}`.slice(0, 500)
  }
  const subjects = [data.traceId, data.sessionId, data.datasetRunId].filter(Boolean)
  if (subjects.length !== 1) return 'A score needs exactly one of traceId, sessionId and datasetRunId.'
  if (data.observationId && !data.traceId) return 'A score of an observation needs its traceId, too.'
  const value = typeof data.value === 'boolean' ? Number(data.value) : data.value
  const rules = data.configId ? configs.get(data.configId) : undefined
  if (data.configId && !rules)
    return `There is no score config "${data.configId.slice(0, 200)}"; create it first.`
  if (rules && data.dataType && data.dataType !== rules.dataType)
    return `Scores of this config are ${rules.dataType}, not ${data.dataType}.`
  const dataType = rules?.dataType ?? data.dataType ?? (typeof value === 'number' ? 'NUMERIC' : 'CATEGORICAL')
  const problem = valueProblem(dataType, value) ?? (rules && problemBy(rules, { name: data.name, value }))
  if (problem !== undefined) return problem
  const category = dataType === 'CATEGORICAL' && rules?.categories?.find(({ label }) => label === value)
  const { metadata, timestamp } = data
  return {
    ...data,
    ...{ id: data.id ?? id, dataType, value, timestamp: timestamp ?? undefined },
    ...(category && { number: category.value }),
    metadata:
      metadata === null || metadata === undefined || isObject(metadata)
        ? (metadata ?? undefined)
        : { metadata },
  }
}

function valueProblem(dataType: ScoreDataType, value: number | string): string | undefined {
  const wants = (what: string) => `The value of a ${dataType} score should be ${what}.`
  if (dataType === 'NUMERIC') return typeof value === 'number' ? undefined : wants('a number')
  if (dataType === 'BOOLEAN') return value === 0 || value === 1 ? undefined : wants('0 or 1')
  if (typeof value !== 'string') return wants('a text')
  if (dataType === 'TEXT' && (value === '' || value.length > LONGEST_TEXT))
    return wants(`a text of 1 to ${LONGEST_TEXT} characters`)
  return undefined
}

/** The id of a score's feedback. @param project `entity/project` */
export function scoreFeedbackId(project: string, id: string): string {
  return derivedId(`langfuse score ${id} ${project}`)
}

/** What the payload of a score's feedback has, as JSON text. */
export function scorePayload({ name: _, timestamp: __, ...payload }: LangfuseScore): string {
  return JSON.stringify(payload)
}
