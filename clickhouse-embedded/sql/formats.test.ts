import { describe, expect, test } from 'vitest'
import { headerLines, withoutHeader } from './formats.js'

test.each([
  ['JSONEachRow', 0],
  ['csvwithnames', 1],
  ['TSVWithNamesAndTypes', 2],
  ['JSON', undefined],
  ['Parquet', undefined],
  ['NoSuchFormat', undefined],
])('%s: %s', (format, lines) => {
  expect(headerLines(format)).toBe(lines)
})

describe('a repeated header is dropped', () => {
  test.each([
    ['a\tb\n1\t2\n', 1, false, '1\t2\n'],
    ['a\nString\n1\n', 2, false, '1\n'],
    ['"a\nb"\n1\n', 1, true, '1\n'],
    ['"a""\n"\n1\n', 1, true, '1\n'],
    ['a\n', 1, false, ''],
    ['1\n', 0, false, '1\n'],
  ])('%j', (block, lines, quoted, rest) => {
    expect(Buffer.from(withoutHeader(Buffer.from(block), lines, quoted)).toString()).toBe(rest)
  })
})
