/** Parquet files that are damaged, or say of themselves what is not so. Those of the pages' tests are read. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openParquet } from './parquet-rows.js'

const FILES = join(import.meta.dirname, '../../web/src/ui/parquet/files')
const folder = mkdtempSync(join(tmpdir(), 'heddle-parquet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (name: string) => join(FILES, `${name}.parquet`)

async function rowsOf(path: string, most?: Parameters<typeof openParquet>[1]): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of (await openParquet(path, most)).read()) rows.push(row)
  return rows
}

/** The rows, or the error, of a file of these bytes. */
async function settled(bytes: Uint8Array): Promise<unknown[] | Error> {
  const path = join(folder, 'broken.parquet')
  writeFileSync(path, bytes)
  return rowsOf(path).catch((error: unknown) => error as Error)
}

describe('a file', () => {
  it.each(['none', 'zstd', 'duckdb'])('of nested columns is refused: %s', async (name) =>
    expect(rowsOf(pathOf(name))).rejects.toThrow('its columns are nested'),
  )

  it('with any one byte changed ends in rows or an error', async () => {
    const whole = readFileSync(pathOf('groups'))
    for (let at = 4; at < whole.length; at += 41) {
      const broken = Uint8Array.from(whole)
      broken[at]! ^= 0xff
      const found = await settled(broken)
      expect(Array.isArray(found) || found instanceof Error).toBe(true)
    }
  })

  it.each([8, 100, -1])('that is cut is refused: to %d', async (to) =>
    expect(await settled(readFileSync(pathOf('groups')).subarray(0, to))).toBeInstanceOf(Error),
  )

  it.each([
    [{ values: 99, bytes: 2e9 }, 'a group of 100 rows; at most 99'],
    [{ values: 100, bytes: 2e9 }, 'more than 100 values'],
    [{ values: 1e6, bytes: 500 }, 'more than 0.0005 MB, inflated'],
  ])('whose groups hold more than %j is refused before it is inflated', async (most, message) => {
    await expect(rowsOf(pathOf('groups'), most)).rejects.toThrow(message)
    expect(await rowsOf(pathOf('groups'))).toHaveLength(300)
  })
})
