/**
 * The names under which a model's price is looked up. Usage contains model names as gateways, clouds and SDKs write
 * them: prefixed with a provider or region, suffixed with a date or version. The given name comes first; each further
 * one drops one more part, so the first with a price is the closest match. One table defines the parts, for SQL and for
 * JavaScript. Pure.
 */
import { RE2JS } from 're2js'
import { bind, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** Providers, gateways and model folders before `/` or `:`. More of them, or regions, may follow the first `/`. */
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

/** Stands for the two groups found, with a dash between; the two engines write that differently. */
const DASH_BETWEEN = '\0'

/** The pattern and replacement of each step. The store runs them in RE2, this file in RE2JS. */
const STEPS: readonly (readonly [found: string, put: string])[] = [
  [`^(?:(?:${PROVIDERS})(?:/(?:[^/]+/)*|:)|arn:[^/]*/(?:[^/]+/)*)`, ''],
  // Bedrock: region, then vendor.
  ['^(?:us|us-gov|eu|apac|jp|au|ca|global)\\.', ''],
  ['^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\.', ''],
  // Vertex writes @ before the date; Azure omits the dot in this name.
  ['@', '-'],
  ['^gpt-35', 'gpt-3.5'],
  ['-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$', ''],
  // Dates, months and short versions such as 0613 and 001.
  ['-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$', ''],
  ['([0-9])\\.([0-9])', DASH_BETWEEN],
]

const PATTERNS = STEPS.map(([found]) => RE2JS.compile(found))

/** The names to look up `model`'s price under, in order. */
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
 * The place in `prices`, a map by name, of the first of these names that it has; 0 if it has none. The engine runs the
 * steps and looks up the names once per distinct model of a block, not per row: a block has many rows but few models.
 * Each step names its result for the next one: written out instead, the steps would be most of the text of a statement,
 * and of what planning it costs.
 */
export function pricePlace(prices: Sql, model: Sql): Sql {
  const names = [sql`toLowCardinality(${model}) AS price_name`]
  let name = sql`lower(price_name)`
  for (const [i, [found, put]] of STEPS.entries()) {
    const text = put === DASH_BETWEEN ? '\\1-\\2' : put
    const alias = ident(`price_name_${i}`)
    names.push(sql`replaceRegexpOne(${name}, ${bind.string(found)}, ${bind.string(text)}) AS ${alias}`)
    name = alias
  }
  const places = names.map((one, i) => {
    const place = ident(`price_place_${i}`)
    const known = i === 0 ? sql`mapKeys(${prices}) AS price_names` : sql`price_names`
    const all = i === 0 ? sql`arrayEnumerate(price_names) AS price_places` : sql`price_places`
    return sql`(transform(${one}, ${known}, ${all}, 0) AS ${place}) > 0, ${place}`
  })
  return sql`multiIf(${join(places, sql`, `)}, 0)`
}
