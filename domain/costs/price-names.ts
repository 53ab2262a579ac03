/**
 * Under which names the price of a model may be known. Usage names models as gateways, clouds and SDKs write them:
 * with a provider or a region in front, with a date or a version behind. The name itself goes first; each further one
 * lacks one more of these parts, so that the first that has a price is the nearest. One table says what the parts are,
 * for SQL and for here. Pure.
 */
import { RE2JS } from 're2js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** Providers, gateways and folders of models that stand before `/` or `:`. What follows the first `/` are more of them, or regions. */
const PROVIDERS = [
  'openai',
  'azure(?:[-_](?:ai|openai))?',
  'anthropic',
  'gemini',
  'google(?:[-_](?:gla|vertex|genai|vertexai))?',
  'vertex(?:[-_]?ai)?',
  'models',
  'publishers',
  'projects',
  '(?:aws-|amazon-)?bedrock(?:[-_]converse)?',
  'openrouter',
  'litellm(?:_proxy)?',
  'mistral(?:ai)?',
  'cohere(?:_chat)?',
  'deepseek',
  'x-?ai',
  'groq',
].join('|')

/** Stands for the two parts that were found, with a dash between them: the two engines write that differently. */
const DASH_BETWEEN = '\0'

/**
 * What each step finds, and what it puts there. The store's RE2 reads these, and here the same in JavaScript.
 */
const STEPS: readonly (readonly [found: string, put: string])[] = [
  [`^(?:(?:${PROVIDERS})(?:/(?:[^/]+/)*|:)|arn:[^/]*/(?:[^/]+/)*)`, ''],
  // Bedrock: the region, then the vendor.
  ['^(?:us|us-gov|eu|apac|jp|au|ca|global)\\.', ''],
  ['^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\.', ''],
  // Vertex has an @ before the date, Azure no dot in this one.
  ['@', '-'],
  ['^gpt-35', 'gpt-3.5'],
  ['-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$', ''],
  // Days and months, short versions such as 0613 and 001.
  ['-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$', ''],
  ['([0-9])\\.([0-9])', DASH_BETWEEN],
]

const PATTERNS = STEPS.map(([found]) => RE2JS.compile(found))

/** The names by which `model`'s price is looked for, in that order. */
export function priceNames(model: string): string[] {
  const names = [model]
  let name = model.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  for (const [i, [, put]] of STEPS.entries()) {
    name = PATTERNS[i]!.matcher(name).replaceFirst(put === DASH_BETWEEN ? '$1-$2' : put)
    names.push(name)
  }
  return names
}

/**
 * The first of these names for which `prices`, a map by name, has something; '' where it has nothing for any. The steps
 * are taken once for each model of a block of rows, for few models stand in many rows.
 */
export function pricedName(prices: Sql, model: Sql): Sql {
  const names: Sql[] = []
  let name = sql`lower(toLowCardinality(${model}))`
  for (const [found, put] of STEPS) {
    const text = put === DASH_BETWEEN ? '\\1-\\2' : put
    name = sql`replaceRegexpOne(${name}, ${bind.string(found)}, ${bind.string(text)})`
    names.push(name)
  }
  return sql`if(mapContains(${prices}, ${model}), ${model}, arrayFirst(name -> mapContains(${prices}, name), [${join(names, sql`, `)}]))`
}
