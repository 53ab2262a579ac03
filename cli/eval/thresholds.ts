/** What a gate allows: read from a file and from options, which win over the file. */
import { z } from 'zod'
import type { Confidence } from '../../domain/evaluation/bootstrap.js'
import { CONFIDENCE, SEED } from '../../domain/evaluation/gate.js'
import { CommandError } from '../command.js'
import { readNamed } from '../named-file.js'

/** As commander gives them. */
export interface ThresholdOptions {
  baseline?: string
  thresholds?: string
  min?: string[]
  max?: string[]
  maxRegression?: string[]
  maxFailed?: string
  confidence?: string
  commonRows?: boolean
}

export interface Thresholds {
  baseline: string | undefined
  confidence: Confidence
  seed: number
  /** judge the rows that both runs have, if some are in one of them only */
  commonRows: boolean
  /** trials that may fail: their number, or their share */
  maxFailed: { count: number } | { share: number }
  /** of scores that say nothing of their own */
  maxRegression: number
  /** by name; empty: all that both runs have */
  scores: ReadonlyMap<string, ScoreThresholds>
}

export interface ScoreThresholds {
  min?: number | undefined
  /** less is better */
  max?: number | undefined
  max_regression?: number | undefined
  lower_is_better?: boolean | undefined
}

const regression = z.number().min(0).optional()
const File = z.strictObject({
  baseline: z.string().min(1).optional(),
  confidence: z.union([z.literal(90), z.literal(95), z.literal(99)]).optional(),
  seed: z.int().optional(),
  common_rows: z.boolean().optional(),
  max_failed: z.union([z.int().min(0), z.string()]).optional(),
  max_regression: regression,
  scores: z
    .record(
      z.string(),
      z
        .strictObject({
          min: z.number().optional(),
          max: z.number().optional(),
          max_regression: regression,
          lower_is_better: z.boolean().optional(),
        })
        .nullable(),
    )
    .optional(),
})

/** @throws CommandError naming the option, or the place in the file */
export async function thresholdsOf(options: ThresholdOptions): Promise<Thresholds> {
  const file = options.thresholds === undefined ? {} : await read(options.thresholds)
  const scores = new Map(Object.entries(file.scores ?? {}).map(([name, one]) => [name, one ?? {}]))
  const set = (option: string, texts: readonly string[] = [], field: 'min' | 'max' | 'max_regression') => {
    for (const text of texts) {
      const [name, value] = named(option, text)
      scores.set(name, { ...scores.get(name), [field]: value })
    }
  }
  const [forAll, forOne] = [
    (options.maxRegression ?? []).filter((text) => !text.includes('=')),
    (options.maxRegression ?? []).filter((text) => text.includes('=')),
  ]
  set('--min', options.min, 'min')
  set('--max', options.max, 'max')
  set('--max-regression', forOne, 'max_regression')
  for (const [name, { min, max }] of scores)
    if (min !== undefined && max !== undefined)
      throw new CommandError(`${name} has a minimum and a maximum; give one of them`, 2)
  return {
    baseline: options.baseline ?? file.baseline,
    confidence: confidenceOf(options.confidence) ?? file.confidence ?? CONFIDENCE,
    seed: file.seed ?? SEED,
    commonRows: options.commonRows ?? file.common_rows ?? false,
    maxFailed: failedOf(options.maxFailed ?? file.max_failed ?? '10%'),
    maxRegression:
      forAll.length === 0 ? (file.max_regression ?? 0) : notNegative('--max-regression', forAll.at(-1)!),
    scores,
  }
}

async function read(file: string): Promise<z.output<typeof File>> {
  const { parse } = await import('yaml')
  let value: unknown
  try {
    // JSON is YAML.
    value = parse(readNamed(file).toString())
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`, 2)
  }
  const checked = File.safeParse(value ?? {})
  if (checked.success) return checked.data
  const [{ path, message }] = checked.error.issues as [z.core.$ZodIssue]
  throw new CommandError(`${[file, path.join('.'), message].filter((one) => one !== '').join(': ')}`, 2)
}

function named(option: string, text: string): [string, number] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new CommandError(`${option} ${text}: write score=number`, 2)
  const value = text.slice(at + 1)
  if (option === '--max-regression') return [text.slice(0, at), notNegative(option, value)]
  return [text.slice(0, at), number(option, value)]
}

function number(option: string, text: string): number {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  throw new CommandError(`${option}: "${text}" is not a number`, 2)
}

function notNegative(option: string, text: string): number {
  const value = number(option, text)
  if (value >= 0) return value
  throw new CommandError(`${option} must be 0 or more`, 2)
}

function confidenceOf(text: string | undefined): Confidence | undefined {
  return text === undefined ? undefined : (Number(text) as Confidence)
}

function failedOf(value: string | number): Thresholds['maxFailed'] {
  const [, amount, percent] = /^(\d+(?:\.\d+)?) ?(%?)$/.exec(String(value)) ?? []
  if (amount === undefined || (percent === '' && amount.includes('.')))
    throw new CommandError(`the limit of failed trials must be a number such as 3, or a share such as 5%`, 2)
  return percent === '%' ? { share: Number(amount) / 100 } : { count: Number(amount) }
}
