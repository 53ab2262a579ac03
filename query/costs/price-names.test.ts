import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRatesOf, pricesOf } from '../../domain/costs/expression.js'
import { priceNames } from '../../domain/costs/price-names.js'
import { readPrices } from '../../domain/costs/price-reader.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rounds } from '../../test/support/rounds.js'
import { startService, type TestService } from '../testing/service.js'
import { parsePrices, shippedPrices } from './default-prices.js'

const LIST = shippedPrices()
/** Names without the provider's, a region's or a vendor's, nor those of Azure that are written otherwise elsewhere. */
const SHIPPED = LIST.prices
  .map(([, model]) => model)
  .filter((model) => /^[a-z][a-z0-9.-]*$/.test(model) && !/\.[a-z]|^gpt-35/.test(model))
/** What the list says a million tokens of prompt and answer cost. */
const BY_NAME = new Map(LIST.prices.map(([, model, prompt, completion]) => [model, [prompt, completion]]))
const among = (known: { has(name: string): boolean }, model: string) =>
  priceNames(model).find((name) => known.has(name)) ?? ''

const cost = (model: string) => BY_NAME.get(among(BY_NAME, model))

describe('the list that ships', () => {
  it('is one', () => expect(parsePrices(JSON.stringify(LIST))).toEqual(LIST))

  it('has every model of the list that it is made from, at its price', () => {
    const { models } = JSON.parse(readFileSync('query/costs/price-fixture.json', 'utf8')) as {
      models: [name: string, prompt: number, completion: number][]
    }
    expect(models.length).toBeGreaterThan(700)
    const other = models.filter(([name, ...price]) => cost(name)?.join() !== price.join())
    expect(other).toEqual([])
  })

  it.each([
    ['gpt-4o', 2.5, 10],
    ['openai/gpt-4o', 2.5, 10],
    ['openai:gpt-4o', 2.5, 10],
    ['GPT-4o', 2.5, 10],
    ['gpt-4o-2099-01-01', 2.5, 10],
    ['gpt-4.1-mini-2026-01-01', 0.4, 1.6],
    ['gpt-35-turbo', 0.5, 1.5],
    // Azure's by region.
    ['azure/gpt-4o-2024-05-13', 5, 15],
    ['azure/eu/gpt-4o-mini-2024-07-18', 0.165, 0.66],
    ['azure/EU/gpt-4o-mini-2024-07-18', 0.165, 0.66],
    ['anthropic/claude-sonnet-4-5', 3, 15],
    ['anthropic/claude-sonnet-4.5', 3, 15],
    ['claude-opus-4-5-20991231', 5, 25],
    // Bedrock's by region.
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 3, 15],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3, 16.5],
    ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3, 16.5],
    ['bedrock:eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3, 16.5],
    [
      'arn:aws:bedrock:us-east-1:123:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      3.3,
      16.5,
    ],
    ['vertex_ai/claude-sonnet-4-5@20250929', 3, 15],
    ['gemini/gemini-2.5-flash', 0.3, 2.5],
    ['google-gla:gemini-2.5-flash', 0.3, 2.5],
    ['models/gemini-2.5-flash', 0.3, 2.5],
    ['projects/p/locations/eu/publishers/google/models/gemini-2.5-pro', 1.25, 10],
    ['xai/grok-4.3', 1.25, 2.5],
    ['grok-4.3-latest', 1.25, 2.5],
    ['text-embedding-3-small', 0.02, 0],
    // Gone from the list, but not from what is stored.
    ['claude-3-opus-20240229', 15, 75],
    ['anthropic.claude-3-5-sonnet-20240620-v1:0', 3, 15],
    ['openrouter/anthropic/claude-3.7-sonnet', 3, 15],
  ])('%s costs %d and %d', (model, ...price) => expect(cost(model)).toEqual(price))

  it.each([
    ['gpt-4o-realtime-preview-1999-12-17'],
    // Whose the machine is can't be told.
    ['meta-llama/Llama-3.3-70B-Instruct'],
    ['llama-3.3-70b-instruct'],
    ['gpt-oss-120b'],
    ['ft:gpt-4o-2024-08-06:acme::abc'],
    ['ollama/gpt-4o'],
    ['somebody/gpt-4o'],
    ['my-gpt-4o'],
    ['gpt-4o:1'],
    [''],
  ])('has no price of another model for %j', (model) => expect(cost(model)).toBeUndefined())
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

  it(
    'finds the same price',
    async () => {
      const known = fc.uniqueArray(fc.oneof(MODEL, fc.constantFrom(...SHIPPED)), { maxLength: 30 })
      let projects = 0
      await fc.assert(
        fc.asyncProperty(known, fc.array(MODEL, { minLength: 1, maxLength: 100 }), async (known, models) => {
          const projectId = projectIdOf(`acme/price-names-${projects++}`)
          const own = known.filter((name) => name !== '')
          await service.store.insertRows(
            'costs',
            own.map((name, i) => priced(projectId, name, 1000 + i)),
          )
          const asked = sql`SELECT arrayJoin(${bind.strings(models)}) AS model`
          const price = newestRatesOf(sql`prices`, sql`model`, sql`0`)
          const found = await service.store.rows<{ model: string; prompt: number }>(
            sql`WITH ${pricesOf(projectId, asked)} AS prices SELECT model, (${price} AS price).prompt AS prompt FROM (${asked})
              WHERE price.above != 0`,
          )
          const all = await readPrices(service.store, projectId)
          const ofProject = new Set(own)
          const expected = models.flatMap((model) => {
            const name = among(ofProject, model)
            if (name) return [{ model, prompt: 1000 + own.indexOf(name) }]
            const shipped = all.of(among(BY_NAME, model))[0]
            return shipped ? [{ model, prompt: shipped.prompt }] : []
          })
          expect(found).toEqual(expected)
        }),
        { numRuns: rounds(10, 30), endOnFailure: true },
      )
    },
    rounds(60_000),
  )
})

/** A price of a project. @param prompt dollars a token */
const priced = (project_id: string, llm_id: string, prompt: number) => ({
  ...{ project_id, id: llm_id, llm_id, provider_id: '', effective_date: 1, prompt, completion: 0 },
  ...{ cache_read: 0, cache_creation: 0, steps: [], prompt_unit: 'USD', completion_unit: 'USD' },
  ...{ created_at: 1, created_by: '', deleted: 0, ver: 1 },
})
