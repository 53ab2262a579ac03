import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Spool } from './spool.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A spool whose first folder stands in for tmpfs. */
const open = () => new Spool(join(folder, 'data'), folder, 'key', true)

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
  const spool = new Spool(join(folder, 'data'), join(folder, 'missing'), 'key', false)
  expect(spool.take().path).toContain(spool.diskFolder)
})

test('what a killed process has left is removed, other data folders are left alone', () => {
  open().take().write(Buffer.from('left over'))
  const other = new Spool(join(folder, 'other'), folder, 'other', true).take()
  const spool = open()
  const own = readdirSync(folder).filter((name) => name.startsWith('clickhouse-embedded-key-'))
  expect(own).toHaveLength(1)
  expect(readFileSync(other.path, 'utf8')).toBe('')
  spool.close()
  expect(readdirSync(folder).filter((name) => name.startsWith('clickhouse-embedded-key-'))).toEqual([])
})

test('bodies beyond the budget are turned away', () => {
  const spool = open()
  spool.hold(512 * 1024 * 1024)
  expect(() => spool.take().write(Buffer.from('x'))).toThrow('Too many inserts are on their way')
})
