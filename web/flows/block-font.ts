/**
 * A font whose every letter is the same block. Machines have different fonts, and draw them differently: in this one
 * a page has the same lines, widths and colours everywhere, so that its picture can be compared.
 */

const UNITS = 1000
const ADVANCE = 550
/** Letters and spaces. */
const [BLOCK, SPACE] = [1, 2]

const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]))
const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value % 65_536)))

/** A rectangle of four points, with padding to four bytes. */
function block(left: number, bottom: number, right: number, top: number): Buffer {
  const ends = u16(1, left, bottom, right, top, 3, 0)
  const flags = Buffer.from([1, 1, 1, 1])
  return Buffer.concat([
    ends,
    flags,
    u16(left, 0, right - left, 0),
    u16(bottom, top - bottom, 0, bottom - top),
  ])
}

/** TrueType. */
export function blockFont(): Buffer {
  const letter = block(50, 0, 500, 480)
  const groups = [
    [0x20, 0x20, SPACE],
    [0x21, 0x9f, BLOCK],
    [0xa0, 0xa0, SPACE],
    [0xa1, 0x10ffff, BLOCK],
  ]
  const name = Buffer.from('Blocks', 'utf16le').swap16()
  const tables: [string, Buffer][] = [
    [
      'OS/2',
      Buffer.concat([
        u16(4, ADVANCE, 400, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        Buffer.alloc(10),
        u32(1, 0, 0, 0),
        Buffer.from('NONE'),
        u16(64, 0x20, 0xffff, 800, -200, 0, 800, 200),
        u32(1, 0),
        u16(480, 700, 0, 0x20, 1),
      ]),
    ],
    // Format 13 maps a range of characters to one glyph.
    [
      'cmap',
      Buffer.concat([
        u16(0, 1, 3, 10),
        u32(12),
        u16(13, 0),
        u32(16 + 12 * groups.length, 0, groups.length, ...groups.flat()),
      ]),
    ],
    ['glyf', Buffer.concat([letter, letter])],
    [
      'head',
      Buffer.concat([
        u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
        u16(0, UNITS),
        Buffer.alloc(16),
        u16(0, -200, ADVANCE, 800, 0, 8, 2, 1, 0),
      ]),
    ],
    [
      'hhea',
      Buffer.concat([u32(0x10000), u16(800, -200, 0, ADVANCE, 0, 0, ADVANCE, 1, 0, 0, 0, 0, 0, 0, 0, 3)]),
    ],
    ['hmtx', u16(ADVANCE, 50, ADVANCE, 50, ADVANCE, 0)],
    ['loca', u32(0, letter.length, 2 * letter.length, 2 * letter.length)],
    ['maxp', Buffer.concat([u32(0x10000), u16(3, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)])],
    ['name', Buffer.concat([u16(0, 1, 18, 3, 1, 0x409, 1, name.length, 0), name])],
    ['post', u32(0x30000, 0, 0, 0, 0, 0, 0, 0)],
  ]
  const directory: Buffer[] = [u32(0x10000), u16(tables.length, 128, 3, 32)]
  const bodies: Buffer[] = []
  let offset = 12 + 16 * tables.length
  for (const [tag, table] of tables) {
    directory.push(Buffer.from(tag), u32(0, offset, table.length))
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
    bodies.push(padded)
    offset += padded.length
  }
  return Buffer.concat([...directory, ...bodies])
}
