// Writes query/costs/default-prices.json, the list of prices that ships, from the list that a release of LiteLLM carries:
// facts (a model's name, what a million tokens cost), with their date and source. `make build` first.
//   node scripts/prices.mjs [--litellm 1.109.1] [--as-of 2026-11-24]
// Beside it: query/costs/price-fixture.json, the names that providers answer with and what they cost, for the tests.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { priceNames } from '../dist/domain/costs/price-names.js'

const LIST = 'query/costs/default-prices.json'
const FIXTURE = 'query/costs/price-fixture.json'

/** Models that are counted in tokens of text, or of speech. */
const MODES = new Set([
  'chat',
  'completion',
  'responses',
  'embedding',
  'rerank',
  'realtime',
  'audio_transcription',
])
/**
 * Those whose own names of models tell whose they are, so that a name without prefix has their price; where two have a name,
 * the first. All others serve models under names that anybody may give to a model of their own machine (`meta-llama/…`):
 * these have a price only under the prefix.
 */
const OWN = [
  ...[
    'openai',
    'text-completion-openai',
    'anthropic',
    'gemini',
    'vertex_ai',
    'xai',
    'mistral',
    'deepseek',
    'cohere',
  ],
  ...[
    'cohere_chat',
    'ai21',
    'bedrock',
    'bedrock_converse',
    'perplexity',
    'groq',
    'cerebras',
    'zai',
    'moonshot',
    'minimax',
  ],
  ...[
    'dashscope',
    'voyage',
    'jina_ai',
    'amazon_nova',
    'inception',
    'meta',
    'tencent',
    'volcengine',
    'fireworks_ai',
    'azure',
  ],
  ...['azure_ai', 'databricks', 'v0', 'morph'],
]

/** Open weights: without a prefix these may run anywhere, unless the maker or host has a name of its own for them. */
const OPEN = /(?:^|[-_.])[\d.]+(?:x\d+)?b(?:[-_.]|$)|llama|gemma|gpt-oss|deepseek-[rv]\d/
const NAMES_OF_THEIR_OWN = new Set([
  'mistral',
  'groq',
  'bedrock',
  'bedrock_converse',
  'fireworks_ai',
  'deepseek',
  'databricks',
])

const { values: args } = parseArgs({ options: { litellm: { type: 'string' }, 'as-of': { type: 'string' } } })
const { version, models } = downloaded(args.litellm)
const stated = new Map()
for (const [name, said] of Object.entries(models)) {
  const price = priceOf(said)
  if (price !== undefined) stated.set(name, { provider: providerOf(said), price })
}

/** By name in small letters: the names as they are listed, and those without prefix. */
const wanted = new Map()
const add = (name, one) => wanted.has(name.toLowerCase()) || wanted.set(name.toLowerCase(), one)
const rank = ({ provider }) => OWN.indexOf(provider)
for (const [name, one] of stated) if (rank(one) < 0 || !isPrefixed(name)) add(name, one)
const own = [...stated].filter(([, one]) => rank(one) >= 0).sort(([, a], [, b]) => rank(a) - rank(b))
for (const [name, one] of own) {
  const bare = bareOf(name, one.provider)
  if (bare !== undefined && (NAMES_OF_THEIR_OWN.has(one.provider) || !OPEN.test(bare.toLowerCase())))
    add(bare, one)
  add(name, one)
}
const current = new Map(wanted)
// Models that the list no longer has keep the last price that was known of them: their calls are still looked at.
for (const [provider, model, ...rest] of JSON.parse(readFileSync(LIST, 'utf8')).prices)
  if (found(wanted, model) === undefined) add(model, { provider, price: rest })

/** Shortest first, so that a name whose price is that of its shorter one is left out. */
const kept = new Map()
const byLength = [...wanted].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
for (const [name, one] of byLength) if (!isSame(found(kept, name), one)) kept.set(name, one)
for (const [name, one] of byLength) if (!isSame(found(kept, name), one)) kept.set(name, one)

const rows = [...kept]
  .map(([model, { provider, price }]) => [provider, model, ...price])
  .sort(([a, one], [b, other]) => compare(a, b) || compare(one, other))
const head = {
  as_of: args['as-of'] ?? new Date().toISOString().slice(0, 10),
  source: `LiteLLM ${version}, model_prices_and_context_window.json (MIT): prices that providers publish, compiled by its contributors; compare before you bill by them`,
  unit: 'USD per million tokens',
  columns: ['provider', 'model', 'prompt', 'completion', 'cache_read', 'cache_creation', 'above'],
}
write(LIST, head, 'prices', rows)

/** What programs are answered by the providers that most use, and what it costs. */
const CHECKED = new Set([
  'openai',
  'anthropic',
  'gemini',
  'vertex_ai',
  'xai',
  'mistral',
  'deepseek',
  'cohere',
  'bedrock',
  'bedrock_converse',
  'azure',
  'azure_ai',
  'groq',
])
const checked = [...current]
  .filter(([name, { provider }]) => CHECKED.has(provider) && !name.includes('/'))
  .map(([name, { price }]) => [name, price[0], price[1]])
  .sort(([a], [b]) => compare(a, b))
write(
  FIXTURE,
  { source: `LiteLLM ${version}`, columns: ['model', 'prompt', 'completion'] },
  'models',
  checked,
)
console.log(`${rows.length} prices of ${stated.size} models; ${checked.length} names for the tests`)

/** @returns the release's version, and its models by name */
function downloaded(release) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-prices-'))
  try {
    const wanted = release === undefined ? 'litellm' : `litellm==${release}`
    const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
    execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', wanted, '-d', '.'], quiet)
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'))
    execFileSync('python3', ['-m', 'zipfile', '-e', wheel, '.'], quiet)
    const text = readFileSync(join(folder, 'litellm/model_prices_and_context_window_backup.json'), 'utf8')
    return { version: wheel.split('-')[1], models: JSON.parse(text) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Vertex AI is several providers in the list. */
function providerOf({ litellm_provider: name }) {
  return name
    .replace(/^vertex_ai-.*/, 'vertex_ai')
    .replace(/^fireworks_ai-.*/, 'fireworks_ai')
    .replace(/^azure_text$/, 'azure')
}

function isPrefixed(name) {
  return /^[a-z0-9_-]+\//.test(name)
}

/** The name without the provider, if it is its own: what follows may be a region, or whose model it is. */
function bareOf(name, provider) {
  const own = provider === 'fireworks_ai' ? /^fireworks_ai\/(accounts\/.*)$/ : /^(?:[a-z0-9_-]+\/)?([^/]+)$/
  return own.exec(name)?.[1]
}

/** [prompt, completion, cache_read?, cache_creation?, above?] in dollars for a million tokens; undefined if it has none. */
function priceOf(said) {
  if (!MODES.has(said.mode)) return undefined
  const ranges = (said.tiered_pricing ?? []).filter(({ range }) => range !== undefined)
  const base = ratesOf(ranges[0] ?? said, '')
  if (!(base.prompt > 0 || base.completion > 0)) return undefined
  const limits = Object.keys(said).flatMap((key) => {
    const [, thousands] = /^(?:in|out)put_cost_per_token_above_(\d+)k_tokens$/.exec(key) ?? []
    return thousands === undefined ? [] : [Number(thousands)]
  })
  const above = [
    ...[...new Set(limits)]
      .sort((a, b) => a - b)
      .map((k) => [k * 1000, ratesOf(said, `_above_${k}k_tokens`)]),
    ...ranges.slice(1).map((one) => [one.range[0], ratesOf(one, '')]),
  ].map(([limit, rates]) => [limit, ...shortened(completed(rates, base))])
  const row = shortened(base)
  if (above.length === 0) return row
  return [row[0], row[1], row[2] ?? row[0], row[3] ?? row[0], above]
}

function ratesOf(said, suffix) {
  const million = (name) =>
    said[name + suffix] === undefined ? undefined : Number((said[name + suffix] * 1e6).toPrecision(10))
  return {
    prompt: million('input_cost_per_token'),
    completion: million('output_cost_per_token'),
    read: million('cache_read_input_token_cost') || undefined,
    write: million('cache_creation_input_token_cost') || undefined,
  }
}

/** What a step says nothing of costs what it costs below. */
function completed(rates, base) {
  const { prompt = base.prompt, completion = base.completion } = rates
  const cached = (name) => (base[name] === undefined ? undefined : (rates[name] ?? base[name]))
  return { prompt, completion, read: cached('read'), write: cached('write') }
}

/** Cached tokens without a price of their own cost what others do, and are left out at the end. */
function shortened({ prompt = 0, completion = 0, read = prompt, write = prompt }) {
  if (write !== prompt) return [prompt, completion, read, write]
  return read === prompt ? [prompt, completion] : [prompt, completion, read]
}

function found(prices, name) {
  return prices.get(priceNames(name).find((one) => prices.has(one)))
}

function isSame(one, other) {
  return one !== undefined && JSON.stringify(full(one.price)) === JSON.stringify(full(other.price))
}

function full([prompt, completion, read = prompt, write = prompt, above]) {
  return [prompt, completion, read, write, above]
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Formatted as all files are: about one row a line, so that changes are read line by line. */
function write(file, head, name, rows) {
  writeFileSync(file, `${JSON.stringify({ ...head, [name]: rows })}\n`)
  execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'inherit' })
}
