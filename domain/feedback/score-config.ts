/**
 * What scores of a name may be, as Langfuse's SDKs configure it. A config is an annotation spec: an object whose JSON
 * schema says the same to annotators. Pure.
 */
import type { ScoreDataType } from '../../contract/langfuse-scores.js'
import { isObject } from '../../platform/json/object.js'

/** What a config says. */
export interface ScoreRules {
  name: string
  dataType: Exclude<ScoreDataType, 'CORRECTION'>
  isArchived: boolean
  minValue: number | null
  maxValue: number | null
  /** of categories and booleans */
  categories: { value: number; label: string }[] | null
  description: string | null
}

export const SPEC_CLASS = 'AnnotationSpec'
const BOOLEANS = [
  { value: 1, label: 'True' },
  { value: 0, label: 'False' },
]

/** The rules of what a request gives, or what is wrong with it. */
export function checkedRules(given: ScoreRules): ScoreRules | string {
  const { dataType, minValue, maxValue, categories } = given
  if (dataType !== 'NUMERIC' && (minValue !== null || maxValue !== null))
    return `minValue and maxValue are for NUMERIC scores; leave them out for ${dataType}.`
  if (dataType === 'BOOLEAN')
    return categories === null
      ? { ...given, categories: BOOLEANS }
      : 'A BOOLEAN config has the categories True and False; leave them out.'
  if (dataType !== 'CATEGORICAL') {
    if (categories !== null) return `categories are for CATEGORICAL scores; leave them out for ${dataType}.`
    const isRange = minValue === null || maxValue === null || minValue < maxValue
    return isRange ? given : 'maxValue should be greater than minValue.'
  }
  if (categories === null || categories.length === 0) return 'A CATEGORICAL config needs categories.'
  const isUnique = (of: 'label' | 'value') =>
    new Set(categories.map((one) => one[of])).size === categories.length
  return isUnique('label') && isUnique('value')
    ? given
    : 'Each category needs a label and a value of its own.'
}

/** The JSON text of the annotation spec that says these rules. @param at ISO 8601, of this change */
export function specText(rules: ScoreRules, at: string): string {
  const { name, description, dataType, isArchived, categories } = rules
  return JSON.stringify({
    ...{ _type: SPEC_CLASS, _class_name: SPEC_CLASS, _bases: ['BaseObject', 'BaseModel'] },
    ...{ name, description, field_schema: schemaOf(rules), unique_among_creators: false, op_scope: null },
    // Distinct for each change: an equal value would be the version that it was before.
    langfuse: { at, dataType, isArchived, ...(dataType === 'CATEGORICAL' && { categories }) },
  })
}

function schemaOf({ dataType, minValue, maxValue, categories }: ScoreRules): object {
  if (dataType === 'BOOLEAN') return { type: 'boolean' }
  if (dataType === 'TEXT') return { type: 'string' }
  if (dataType === 'CATEGORICAL')
    return { type: 'string', enum: (categories ?? []).map(({ label }) => label) }
  return {
    type: 'number',
    ...(minValue !== null && { minimum: minValue }),
    ...(maxValue !== null && { maximum: maxValue }),
  }
}

/** What an annotation spec says, of any client; undefined: its schema is of something else. */
export function rulesOf(id: string, value: unknown): ScoreRules | undefined {
  if (!isObject(value)) return undefined
  const { field_schema: schema, langfuse: own, name, description } = value as Record<string, unknown>
  if (!isObject(schema)) return undefined
  const { type, enum: labels, minimum, maximum } = schema as Record<string, unknown>
  const said = isObject(own) ? (own as { isArchived?: unknown; categories?: ScoreRules['categories'] }) : {}
  const rules = {
    ...{ name: typeof name === 'string' && name !== '' ? name : id, isArchived: said.isArchived === true },
    ...{ minValue: null, maxValue: null, categories: null },
    description: typeof description === 'string' ? description : null,
  }
  if (type === 'boolean') return { ...rules, dataType: 'BOOLEAN', categories: BOOLEANS }
  if (type === 'number' || type === 'integer')
    return { ...rules, dataType: 'NUMERIC', minValue: numberIn(minimum), maxValue: numberIn(maximum) }
  if (type !== 'string') return undefined
  if (!Array.isArray(labels)) return { ...rules, dataType: 'TEXT' }
  const numbered = labels.map((label, value) => ({ value, label: String(label) }))
  return { ...rules, dataType: 'CATEGORICAL', categories: said.categories ?? numbered }
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : null)

/** What is wrong with a score's value by its config; undefined: nothing. */
export function problemBy(rules: ScoreRules, score: { name: string; value: unknown }): string | undefined {
  const { name, isArchived, dataType, minValue, maxValue, categories } = rules
  const { value } = score
  if (isArchived) return `The score config of "${name}" is archived; restore it, or use another one.`
  if (score.name !== name)
    return `Scores of this config are named "${name}", not "${score.name.slice(0, 200)}".`
  if (typeof value === 'number' && minValue !== null && value < minValue)
    return `The config allows no value below ${minValue}.`
  if (typeof value === 'number' && maxValue !== null && value > maxValue)
    return `The config allows no value above ${maxValue}.`
  if (dataType === 'CATEGORICAL' && !categories?.some(({ label }) => label === value))
    return `The config has no category "${String(value).slice(0, 200)}".`
  return undefined
}
