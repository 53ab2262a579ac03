/** Who makes the log hurry. No engine: what is inserted is only noted. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readParameters } from '../http/parameters.js'
import { LogGate } from './gate.js'
import { block, newFolder } from './testing/logged-engine.js'
import { WriteLog } from './write-log.js'

let folder: string
beforeEach(() => {
  folder = newFolder()
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('a statement with a priority, which lets others go first, does not have small parts made after it', async () => {
  const inserted: string[] = []
  const log = new WriteLog({
    folder,
    tables: ['patient', 'hurried'].map((table) => ({ table, key: ['id'] })),
    target: {
      insert: async ({ table }, _path, rows) => {
        inserted.push(table)
        return rows
      },
      holds: async () => false,
    },
    onRefused: () => undefined,
    onRetry: () => undefined,
  })
  const gate = new LogGate(log)
  const openings = ['patient', 'hurried'].map((table) => {
    const head = `INSERT INTO ${table} (id, v)`
    return { head, table, database: 'default', settings: [], key: ['id'] }
  })
  const insert = (ids: number[]) =>
    Promise.all(
      openings.map(async (opening) => {
        const body = block(ids)
        await log.append(opening, { chunks: [body], length: body.length, rows: ids.length })
      }),
    )
  const read = async (table: string, settings: Record<string, string>) => {
    const { ended } = await gate.before(
      `SELECT * FROM ${table}`,
      true,
      readParameters(new Map(Object.entries(settings)), false),
    )
    ended()
  }
  await insert([1])
  await read('patient', { priority: '10' })
  await read('hurried', { priority: '0' })
  expect(inserted).toEqual(['patient', 'hurried'])
  await insert([2])
  await vi.waitFor(() => expect(inserted.length).toBeGreaterThan(2), { timeout: 60_000 })
  expect(inserted[2]).toBe('hurried')
  await log.close()
  expect(inserted).toEqual(['patient', 'hurried', 'hurried', 'patient'])
})
