import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { objectDigest } from '../../domain/refs/digest.js'
import { until } from '../../test/support/until.js'
import { ENTRY_BYTES, RowDirectories, RowDirectory } from './row-directory.js'
import type { Place } from './sql.js'

const digestOf = (n: number) => objectDigest(Buffer.from(JSON.stringify({ n })))

/** The entries of a table as the store gives them: row `n` of `list` at position i was upload 7's `n`th. */
function entriesOf(list: readonly number[]): Buffer {
  const entries = list.map((n, position) => {
    const entry = Buffer.alloc(ENTRY_BYTES)
    Buffer.from(digestOf(n), 'base64').copy(entry, 0, 0, 8)
    entry.writeUInt32LE(position, 8)
    entry.writeBigUInt64LE(7n, 12)
    entry.writeUInt32LE(n, 20)
    return entry
  })
  const start = (entry: Buffer) => entry.readBigUInt64LE()
  return Buffer.concat(entries.sort((a, b) => (start(a) < start(b) ? -1 : Number(start(a) > start(b)))))
}

const table = (digest: string) => ({ project: 'p', digest })

describe('a directory', () => {
  it('finds every place of a row, and no other row', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 100 }), (list) => {
        const directory = new RowDirectory(entriesOf(list))
        for (let n = 0; n <= 40; n++) {
          const places: Place[] = []
          for (const [position, row] of list.entries())
            if (row === n) places.push({ position, upload: 7, n, key: 0 })
          expect(directory.find(digestOf(n))).toEqual(places)
        }
      }),
    )
  })

  it.each(['', 'x', "'; DROP TABLE tables; --", digestOf(1).slice(0, 20), `${digestOf(1)}A`])(
    'finds nothing for %j',
    (digest) => {
      expect(new RowDirectory(entriesOf([1, 2])).find(digest)).toEqual([])
    },
  )
})

describe('directories', () => {
  /** Uses `digest` until its directory is there. */
  const used = (directories: RowDirectories, digest: string) =>
    until('the directory', () => directories.of(table(digest)) !== undefined)

  it('are loaded once, by the third use', async () => {
    const loads: string[] = []
    const directories = new RowDirectories(async ({ digest }) => {
      loads.push(digest)
      return entriesOf([1])
    })
    expect([directories.of(table('a')), directories.of(table('a'))]).toEqual([undefined, undefined])
    expect(loads).toEqual([])
    await used(directories, 'a')
    await used(directories, 'a')
    expect(loads).toEqual(['a'])
    expect(directories.of({ project: 'other', digest: 'a' })).toBeUndefined()
  })

  it('that could not be loaded are tried again', async () => {
    let loads = 0
    const directories = new RowDirectories(async () => {
      if (loads++ === 0) throw new Error('the store is away')
      return entriesOf([1])
    })
    await used(directories, 'a')
    expect(loads).toBe(2)
  })

  it('make room for those used later', async () => {
    const large = Buffer.alloc(20 << 20)
    const directories = new RowDirectories(async () => large)
    for (const digest of ['a', 'b']) await used(directories, digest)
    await used(directories, 'a')
    await used(directories, 'c')
    expect(['a', 'b', 'c'].map((digest) => directories.of(table(digest)) !== undefined)).toEqual([
      true,
      false,
      true,
    ])
  })
})
