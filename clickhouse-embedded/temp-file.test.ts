import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TempFiles } from './temp-file.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A spool whose first folder stands in for tmpfs. */
const open = () => new TempFiles(join(folder, 'data'), folder, true)

test('a file used again holds only the new body', () => {
  const tempFiles = open()
  const first = tempFiles.take()
  first.write(Buffer.from('a long body'))
  first.finish()
  first.release()
  const second = tempFiles.take()
  expect(second.path).toBe(first.path)
  second.write(Buffer.from('short'))
  second.finish()
  expect(readFileSync(second.path, 'utf8')).toBe('short')
})

test('two bodies on their way have two files', () => {
  const tempFiles = open()
  expect(tempFiles.take().path).not.toBe(tempFiles.take().path)
})

test('without a tmpfs the data folder is used', () => {
  const tempFiles = new TempFiles(join(folder, 'data'), join(folder, 'missing'), false)
  expect(tempFiles.take().onTmpfs).toBe(false)
})

test('a process that is killed leaves nothing behind', () => {
  const tempFiles = open()
  const file = tempFiles.take()
  file.write(Buffer.from('a body'))
  expect(readFileSync(file.path, 'utf8')).toBe('a body')
  const names = readdirSync(folder, { recursive: true })
  // Elsewhere a file needs a name, and the next process removes it.
  expect(names.filter((name) => name.includes('clickhouse'))).toHaveLength(
    process.platform === 'linux' ? 0 : 1,
  )
})

test('bodies beyond the budget are turned away', () => {
  const tempFiles = open()
  tempFiles.hold(512 * 1024 * 1024)
  expect(() => tempFiles.take().write(Buffer.from('x'))).toThrow('Too many inserts are on their way')
})
