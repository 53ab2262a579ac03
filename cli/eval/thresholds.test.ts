import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { thresholdsOf } from './thresholds.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-thresholds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const saved = (text: string) => {
  const file = join(folder, 'limits.yml')
  writeFileSync(file, text)
  return file
}

describe('thresholds', () => {
  it('are strict without being told otherwise', async () => {
    expect(await thresholdsOf({})).toEqual({
      ...{ baseline: undefined, confidence: 95, seed: 1, commonRows: false },
      ...{ maxFailed: { share: 0.1 }, maxRegression: 0, scores: new Map() },
    })
  })

  it('come from a file, YAML or JSON, and from options, which win', async () => {
    const yaml =
      'baseline: a:production\nmax_failed: 3\nmax_regression: 0.1\nscores:\n  right: { min: 0.8, max_regression: 0.02 }\n  off:\n'
    const options = {
      ...{ baseline: 'b', confidence: '99', commonRows: true, maxFailed: '2.5%' },
      ...{ min: ['right=0.9'], max: ['time=3'], maxRegression: ['0.5', 'a=b=0.25'] },
    }
    expect(await thresholdsOf({ ...options, thresholds: saved(yaml) })).toEqual({
      ...{ baseline: 'b', confidence: 99, seed: 1, commonRows: true, maxFailed: { share: 0.025 } },
      maxRegression: 0.5,
      scores: new Map(
        Object.entries({
          right: { min: 0.9, max_regression: 0.02 },
          off: {},
          time: { max: 3 },
          'a=b': { max_regression: 0.25 },
        }),
      ),
    })
    expect(await thresholdsOf({ thresholds: saved('{"seed": 7, "confidence": 90}') })).toMatchObject({
      ...{ seed: 7, confidence: 90 },
    })
    expect(await thresholdsOf({ thresholds: saved('') })).toMatchObject({ seed: 1 })
  })

  it.each([
    [{ min: ['right'] }, '--min right: write score=number'],
    [{ min: ['right=x'] }, '--min: "x" is not a number'],
    [{ min: ['right='] }, '--min: "" is not a number'],
    [{ maxRegression: ['-1'] }, '--max-regression must be 0 or more'],
    [{ maxFailed: '1.5' }, 'such as 3, or a share such as 5%'],
    [{ min: ['a=1'], max: ['a=2'] }, 'a has a minimum and a maximum; give one of them'],
    [{ thresholds: '/none/limits.yml' }, "can't be read: there is no such file"],
  ])('that are none are refused: %j', async (options, sentence) => {
    await expect(thresholdsOf(options)).rejects.toThrow(sentence)
  })

  it.each([
    ['scores: { right: { mim: 1 } }', 'scores.right: Unrecognized key: "mim"'],
    ['max_regression: -1', 'max_regression: '],
    ['scores: [', 'is neither YAML nor JSON'],
    ['- a', 'limits.yml: Invalid input: expected object'],
    ['a: &a [*a, *a]\nb: *a', 'limits.yml: '],
  ])('of a file are refused by their place: %s', async (text, sentence) => {
    await expect(thresholdsOf({ thresholds: saved(text) })).rejects.toThrow(sentence)
  })
})
