/** Moves the rows that a walker made into a block, column by column. Knows the form of columns, not what they mean. */
import type { CallBlock } from '../../../domain/calls/block.js'
import {
  type Column,
  Int64Column,
  IntColumn,
  StringColumn,
  UInt32ArrayColumn,
} from '../../../domain/calls/column.js'
import { LowCardinalityColumn } from '../../../domain/calls/low-cardinality.js'
import type { Instance } from './instance.js'

/** How the rows of one column are moved. */
type Move = (rows: number) => void

/** Returns what moves so many rows of `instance` to the end of `block`, where every row is whole. */
export function movesOf({ memory, number, at, call }: Instance, block: CallBlock): Move {
  const moves: Move[] = []
  for (const name of block.names) {
    const address = number(name)
    if (address !== undefined) moves.push(moveOf(block[name], address))
  }
  return (rows) => {
    for (const move of moves) move(rows)
    block.endRows(rows)
  }

  function moveOf(column: Column, address: number): Move {
    const { buffer } = memory
    if (column instanceof StringColumn) {
      const start = call.textStart(address)
      return (rows) => column.append(memory, start, memory.readUInt32LE(address), rows)
    }
    if (column instanceof Int64Column) {
      return (rows) => column.append(new Uint32Array(buffer, address, rows * 2))
    }
    if (column instanceof IntColumn) {
      return (rows) =>
        column.append(
          column.width === 1 ? new Uint8Array(buffer, address, rows) : new Uint32Array(buffer, address, rows),
        )
    }
    if (column instanceof LowCardinalityColumn) {
      return (rows) => column.append(new Uint16Array(buffer, address, rows))
    }
    if (!(column instanceof UInt32ArrayColumn)) throw new Error('unsupported column type')
    const ends = at('LEAF_ENDS')
    return (rows) =>
      column.append(
        new Uint32Array(buffer, address, memory.readUInt32LE(ends + (rows - 1) * 4)),
        new Uint32Array(buffer, ends, rows),
      )
  }
}
