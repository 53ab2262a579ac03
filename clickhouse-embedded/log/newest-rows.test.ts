import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileWindow } from './file-window.js'
import { type LoggedBody, newestRows } from './newest-rows.js'
import { block, newFolder } from './testing/logged-engine.js'

/** A body with these ids, all of one `v`. */
function bodyOf(ids: number[]): LoggedBody {
  const path = join(newFolder(), 'body')
  const bytes = block(ids, 'v')
  writeFileSync(path, bytes)
  const fd = openSync(path, 'r')
  onTestFinished(() => {
    closeSync(fd)
    rmSync(dirname(path), { recursive: true })
  })
  const frame = { offset: 0, length: bytes.length, rows: ids.length, greatest: Math.max(...ids) }
  return { frame, window: new FileWindow(fd) }
}

test('bodies that can have none of the newest rows are not read', () => {
  const older = bodyOf([1, 2, 3])
  older.window.seek = () => expect.unreachable('it is read')
  const wanted = { table: 't', key: 'v', columns: ['id'], where: [], order: 'id', tie: 'v' }
  const most = { since: 0, until: Number.MAX_SAFE_INTEGER, limit: 3 }
  const found = newestRows([older, bodyOf([7, 4]), bodyOf([2, 9, 5])], 'v', { ...wanted, ...most }, new Map())
  expect(found?.since).toBe(5)
  const ids = Array.from({ length: found!.bytes.length / 8 }, (_, i) =>
    Number(found!.bytes.readBigUInt64LE(8 * i)),
  )
  expect(ids.toSorted()).toEqual([5, 7, 9])
})
