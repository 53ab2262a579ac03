import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { priceNames, pricePlace } from '../../domain/costs/price-names.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { startService, type TestService } from '../testing/service.js'
import { shippedPrices } from './default-prices.js'

const SHIPPED = shippedPrices().prices.map(([, model]) => model)
const among = (known: ReadonlySet<string>, model: string) =>
  priceNames(model).find((name) => known.has(name)) ?? ''

describe('the price of a model that ships', () => {
  it.each([
    ['gpt-4o', 'gpt-4o'],
    ['openai/gpt-4o', 'gpt-4o'],
    ['openai:gpt-4o', 'gpt-4o'],
    ['GPT-4o', 'gpt-4o'],
    ['azure/gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['azure/eu/gpt-4o-mini-2024-07-18', 'gpt-4o-mini-2024-07-18'],
    ['azure_ai/gpt-35-turbo', 'gpt-3.5-turbo'],
    ['gpt-4.1-mini-2026-01-01', 'gpt-4.1-mini'],
    ['gpt-4o-2099-01-01', 'gpt-4o'],
    ['anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['openrouter/anthropic/claude-3.7-sonnet', 'claude-3-7-sonnet'],
    ['claude-opus-4-5-20991231', 'claude-opus-4-5'],
    ['anthropic.claude-3-5-sonnet-20240620-v1:0', 'claude-3-5-sonnet-20240620'],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet-20241022'],
    ['anthropic.claude-3-haiku-20240307-v1:0:200k', 'claude-3-haiku-20240307'],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['bedrock/us-east-1/anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4-1-20250805'],
    ['bedrock:eu.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5-20251001'],
    [
      'arn:aws:bedrock:us-east-1:123:inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0',
      'claude-sonnet-4-20250514',
    ],
    ['vertex_ai/claude-3-5-sonnet@20240620', 'claude-3-5-sonnet-20240620'],
    ['gemini/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['models/gemini-1.5-pro-001', 'gemini-1.5-pro'],
    ['google-gla:gemini-2.0-flash', 'gemini-2.0-flash'],
    ['projects/p/locations/eu/publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['mistral/mistral-large-latest', 'mistral-large-latest'],
    ['xai/grok-4', 'grok-4'],
    // Another model, whatever its name has in common with a known one.
    ['gpt-4o-realtime-preview-2024-12-17', ''],
    ['gpt-4-1106-preview', ''],
    ['gpt-4-32k-0613', ''],
    ['gemini-2.5-flash-preview-05-20', ''],
    ['ft:gpt-4o-2024-08-06:acme::abc', ''],
    ['ollama/gpt-4o', ''],
    ['somebody/gpt-4o', ''],
    ['my-gpt-4o', ''],
    ['anthropic/claude-3.7-sonnet:free', ''],
    ['gpt-4o:1', ''],
    ['', ''],
  ])('%s: %s', (model, name) => expect(among(new Set(SHIPPED), model)).toBe(name))
})

const part = (...parts: string[]) => fc.constantFrom('', ...parts)
/** As gateways, clouds and SDKs write models, and as nobody does. */
const MODEL = fc.oneof(
  fc
    .tuple(
      part(
        'openai/',
        'Azure/',
        'azure/eu/',
        'bedrock/us-east-1/',
        'models/',
        'anthropic:',
        'nobody/',
        'arn:a:b/',
      ),
      part('us.', 'eu.', 'apac.', 'mars.'),
      part('anthropic.', 'meta.', 'x.'),
      fc.oneof(fc.constantFrom(...SHIPPED), fc.constantFrom('gpt-35-turbo', 'claude-3.7-sonnet')),
      part('-2024-08-06', '-20240806', '@20240806', '-05-2025', '-0613', '-001', '-latest', '-preview'),
      part('-v1:0', '-v2', ':0', '-v1:0:200k', ':thinking'),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.stringMatching(/^[a-zA-Z@.:/0-9v\n-]{0,30}$/),
)

describe('names of prices', () => {
  it('begin with the name itself', () =>
    fc.assert(
      fc.property(MODEL, (model) => {
        expect(priceNames(model)[0]).toBe(model)
      }),
    ))

  it('are found through every provider, region and version', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('openai/', 'azure/eu/', 'bedrock/', 'us.anthropic.', 'models/', 'ANTHROPIC:'),
        fc.constantFrom(...SHIPPED),
        part('-v1:0', '-v2'),
        (before, model, after) => {
          expect(priceNames(before + model + after)).toContain(model)
        },
      ),
    ))

  it('take away and add nothing: the last one is that of its own', () =>
    fc.assert(
      fc.property(fc.constantFrom(...SHIPPED), (model) => {
        const last = priceNames(model).at(-1)!
        expect(priceNames(`us.anthropic.${last}`)).toContain(last)
      }),
    ))
})

describe('the engine', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(() => [])
  })
  afterAll(() => service.stop())

  it('finds the same name', async () => {
    const known = fc.uniqueArray(fc.oneof(MODEL, fc.constantFrom(...SHIPPED)), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(known, fc.array(MODEL, { minLength: 1, maxLength: 100 }), async (known, models) => {
        const names = known.filter((name) => name !== '')
        const prices = sql`CAST((${bind.strings(names)}, ${bind.strings(names)}), 'Map(String, String)')`
        const [row] = await service.store.rows<{ found: string[] }>(
          sql`WITH ${prices} AS prices SELECT arrayMap(model -> mapKeys(prices)[${pricePlace(sql`prices`, sql`model`)}], ${bind.strings(models)}) AS found`,
        )
        const expected = models.map((model) => among(new Set(names), model))
        expect(row!.found).toEqual(expected)
      }),
      { numRuns: 30, endOnFailure: true },
    )
  }, 60_000)
})
