/**
 * The names under which a model's price is looked up. Usage contains model names as gateways, clouds and SDKs write
 * them: prefixed with a provider or region, suffixed with a date or version. The given name comes first; each further
 * one drops one more part, so the first with a price is the closest match. One table defines the parts, for SQL and for
 * JavaScript. Pure.
 */
import { RE2JS } from 're2js'
import { bind, commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'

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

/** Those who put only their name before that of the model, whose folders then belong to it. */
const HOSTS = [
  ...[
    'ai21',
    'amazon[-_]nova',
    'cerebras',
    'dashscope',
    'databricks',
    'fireworks(?:_ai)?',
    'inception',
    'jina_ai',
    'minimax',
  ],
  ...['meta', 'moonshot', 'morph', 'perplexity', 'tencent', 'v0', 'volcengine', 'voyage', 'zai'],
].join('|')

/** Stands for the two groups found, with a dash between; the two engines write that differently. */
const DASH_BETWEEN = '\0'

/** The pattern and replacement of each step. The store runs them in RE2, this file in RE2JS. */
const STEPS: readonly (readonly [found: string, put: string])[] = [
  // Nothing, but the name is in small letters from here on, as those of the list that ships.
  ['^$', ''],
  [`^(?:(?:${PROVIDERS})(?:/(?:[^/]+/)*|:)|(?:${HOSTS})/|arn:[^/]*/(?:[^/]+/)*)`, ''],
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

/** An array of the names to look up a price under, as {@link priceNames} has them. Each is an alias for the next one. */
export function priceNamesOf(model: Sql): Sql {
  const names = [sql`${model} AS price_name`]
  let name = sql`lower(price_name)`
  for (const [i, [found, put]] of STEPS.entries()) {
    const text = put === DASH_BETWEEN ? '\\1-\\2' : put
    const alias = ident(`price_name_${i}`)
    names.push(sql`replaceRegexpOne(${name}, ${bind.string(found)}, ${bind.string(text)}) AS ${alias}`)
    name = alias
  }
  return sql`[${commaList(names)}]`
}
