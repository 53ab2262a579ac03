/** Writes the files of a coding agent; what is in them already stays. Knows no agent. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isObject } from '../../platform/json/object.js'
import { CommandError } from '../command.js'
import { unreadable, unwritable } from '../named-file.js'
import type { SetupFile } from './agents.js'

/** Writes a file whole, or adds to the one that is there. @returns what was done @throws CommandError if it can't */
export function write(file: SetupFile): string {
  const { path } = file
  const before = existing(path)
  const after = before === undefined ? file.text : added(file, before)
  if (after === before) return `${path} is as it should be`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, after)
  } catch (error) {
    throw unwritable(path, error)
  }
  return before === undefined ? `wrote ${path}` : `added to ${path}`
}

function existing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(path, error)
  }
}

/** The text of a file with what it lacks. @throws CommandError for JSON that can't be read, such as with comments */
export function added({ path, text, adds }: SetupFile, before: string): string {
  if (adds === undefined) return text
  if ('table' in adds) {
    if (before.split('\n').some((line) => line.trim() === adds.header)) return before
    return `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}\n${adds.table}`
  }
  let value: unknown
  try {
    value = before.trim() === '' ? {} : JSON.parse(before)
  } catch {
    value = undefined
  }
  if (!isObject(value))
    throw new CommandError(`${path} is not plain JSON, so it stays as it is; add what --print shows`)
  const merged = mergedInto(value, adds.json)
  return JSON.stringify(merged) === JSON.stringify(value)
    ? before
    : `${JSON.stringify(merged, undefined, 2)}\n`
}

/** Members are added to objects, items to lists that lack their id; a server of our name is replaced. */
function mergedInto(value: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(more).map(([name, own]) => {
    const there = value[name]
    if (Array.isArray(own) && Array.isArray(there)) {
      const others = there.filter((one) => !own.some((mine) => isObject(one) && one.id === mine.id))
      return [name, [...others, ...own]]
    }
    return [name, isObject(own) && isObject(there) ? { ...there, ...own } : own]
  })
  return { ...value, ...Object.fromEntries(members) }
}
