import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommandError } from '../command.js'
import { DataFolder } from './data-folder.js'

let folder = ''
let mounted = false
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-data-'))
})
afterEach(() => {
  if (mounted) execFileSync('umount', [folder])
  mounted = false
  rmSync(folder, { recursive: true, force: true })
})

function mount(options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' })
  mounted = true
}

function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'heddle-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', place], { stdio: 'pipe' })
    execFileSync('umount', [place])
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

const problem = () => {
  try {
    new DataFolder(join(folder, 'data')).checkWritable()
  } catch (error) {
    return error
  }
  return undefined
}

it('is made, and fine where it can be written', () => {
  expect(problem()).toBe(undefined)
})

it('that is a file is named', () => {
  writeFileSync(join(folder, 'data'), '')
  expect(problem()).toEqual(
    new CommandError(
      `the data folder ${join(folder, 'data')} is not a folder: move the file away, or set HEDDLE_DATA_DIR to another folder`,
    ),
  )
})

describe.skipIf(!canMount())('on a file system of its own (skipped where this user may mount none)', () => {
  it.each([
    ['size=512k', 'is full'],
    ['ro', 'read-only file system: mount it'],
  ])('mounted with %s it is named: it %s', (options, why) => {
    mount(options)
    expect(problem()).toBeInstanceOf(CommandError)
    expect((problem() as Error).message).toContain(join(folder, 'data'))
    expect((problem() as Error).message).toContain(why)
    expect((problem() as Error).message).toContain('HEDDLE_DATA_DIR')
  })
})
