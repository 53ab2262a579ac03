import { expect, it } from 'vitest'
import { CallBlock } from './block.js'
import { numberOf, stampVersions, stringsOf } from './block-reader.js'

function filled(table: 'calls' | 'calls_open', rows: number) {
  const block = new CallBlock(table)
  for (let row = 0; row < rows; row++) {
    block.project_id.text('p'.repeat(24))
    block.id.text(`id ${row} é`)
    block.trace_id.text('t'.repeat(row * 40))
    block.started_at.number(1_700_000_000_000_000 + row)
    block.inputs.open()
    block.inputs.utf8('x'.repeat(row))
    block.inputs.close()
    for (let leaf = 0; leaf < row; leaf++) block.leaves.add(leaf)
    block.kind.int(1 + (row % 2))
    block.endRow()
  }
  return block.layout()
}

it.each(['calls', 'calls_open'] as const)('reads back what a block of %s says', (table) => {
  const layout = filled(table, 5)
  expect(layout.rows).toBe(5)
  expect(stringsOf(layout, 'id', [0, 3, 4])).toEqual(['id 0 é', 'id 3 é', 'id 4 é'])
  expect(stringsOf(layout, 'trace_id', [4])).toEqual(['t'.repeat(160)])
  expect(numberOf(layout, 'started_at', 3)).toBe(1_700_000_000_000_003)
  stampVersions(layout, 1_795_238_000_123_456)
  expect([0, 4].map((row) => numberOf(layout, 'ver', row))).toEqual([
    1_795_238_000_123_456, 1_795_238_000_123_460,
  ])
})

it('reads a block without rows', () => {
  expect(filled('calls', 0).rows).toBe(0)
})
