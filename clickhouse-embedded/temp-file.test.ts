import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Spool } from './temp-file.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A spool whose first folder stands in for tmpfs. */
const open = () => new Spool(join(folder, 'data'), folder, true)

test('a file used again holds only the new body', () => {
  const spool = open()
  const first = spool.take()
  first.write(Buffer.from('a long body'))
  first.finish()
  first.release()
  const second = spool.take()
  expect(second.path).toBe(first.path)
  second.write(Buffer.from('short'))
  second.finish()
  expect(readFileSync(second.path, 'utf8')).toBe('short')
})

test('two bodies on their way have two files', () => {
  const spool = open()
  expect(spool.take().path).not.toBe(spool.take().path)
})

test('without a tmpfs the data folder is used', () => {
  const spool = new Spool(join(folder, 'data'), join(folder, 'missing'), false)
  expect(spool.take().onTmpfs).toBe(false)
})

test('a process that is killed leaves nothing behind', () => {
  const spool = open()
  const file = spool.take()
  file.write(Buffer.from('a body'))
  expect(readFileSync(file.path, 'utf8')).toBe('a body')
  const names = readdirSync(folder, { recursive: true })
  // Elsewhere a file needs a name, and the next process removes it.
  expect(names.filter((name) => name.includes('clickhouse'))).toHaveLength(
    process.platform === 'linux' ? 0 : 1,
  )
})

test('bodies beyond the budget are turned away', () => {
  const spool = open()
  spool.hold(512 * 1024 * 1024)
  expect(() => spool.take().write(Buffer.from('x'))).toThrow('Too many inserts are on their way')
})
