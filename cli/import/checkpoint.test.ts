import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Checkpoint } from './checkpoint.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'checkpoint.json')

it('is what the last run saved, until it is removed', () => {
  const first = new Checkpoint('a into b', file)
  expect([first.resumed, readdirSync(folder)]).toEqual([false, []])
  first.progress.counts.calls = 7
  first.progress.position = { line: 7 }
  first.save()
  const second = new Checkpoint('a into b', file)
  expect(second.resumed).toBe(true)
  expect(second.progress).toEqual(first.progress)
  expect(() => new Checkpoint('a into c', file)).toThrow('belongs to another import (a into b)')
  second.remove()
  expect(readdirSync(folder)).toEqual([])
})

it('names the first record of each reason', () => {
  const checkpoint = new Checkpoint('a', file)
  checkpoint.refuse(1, 'too long', 'x')
  checkpoint.refuse(1, 'too long', 'y')
  checkpoint.refuse(2, 'span z: no name')
  expect(checkpoint.progress.refused).toEqual({
    count: 4,
    reasons: ['too long (such as x)', 'span z: no name'],
  })
})

it('says that it can not be written', () => {
  expect(() => new Checkpoint('a', join(folder, 'none', 'x')).save()).toThrow('choose another --checkpoint')
})

it.each(['', '{', '{"import":"a"}'])('is not %j', (text) => {
  writeFileSync(file, text)
  expect(() => new Checkpoint('a', file)).toThrow('is not a checkpoint of an import; remove it')
})
