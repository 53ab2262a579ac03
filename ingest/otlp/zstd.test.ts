import { describe, expect, it } from 'vitest'
import { unzstd } from './inflate.js'

const open = (body: Uint8Array, most = 1 << 20) => unzstd(body, most)

/** Texts, and what the command zstd 1.5.4 made of them. */
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('')
const REPEATED = lines(40_000, (i) => `span ${i % 10}\n`)
const VARIED = lines(3000, (i) => `span ${(i * 7919) % 1000} says ${(i * i) % 97}\n`).slice(0, 4000)
const FORMS: [string, string, string][] = [
  [
    'from a stream, with a checksum',
    REPEATED,
    'KLUv/QRI1AEAYsQLEMC1ckD6+q9Ga91ERPx+tMAPMrELMrEHMrEDMrEfmdiNTOxFJnYiE/uQiV3IxAYBAMbtf5KHKEwAAAggAQD8/zkQAkUAAAhwAQC8xQ6E2Lvaog==',
  ],
  [
    'of the highest level',
    REPEATED,
    'KLUv/QBoZAEAsHNwYW4gMApzcGFuIDEyMzQ1Njc4OQoJoBDI7eeQU+u3/0mGj3EcBwxpQCREAAAAAQD9/0kegD0AAAABAL3FDoA=',
  ],
  [
    'of a known size',
    VARIED,
    'KLUv/WSgDkUcAFZgQBOwpZADB7cuNEld2hWRsnVBHHMJPgA4ADcA05CfsfKXlMkfxfpHKMyCyNyC7Rc2g6wjnhDhJRgPWrg0kqCj' +
      'Ozd6VKOvZfGlwtnoOkAYEBQEEAzCQCBggCBifFLWnVhz+Rs4iogwbkaTDkuQkd/TbxOpcl063a2O3ph4aLHFiUsd1TIjQmKdwJkP' +
      'g7RWPTEJDV/EvuC8cuaXYmTUs3AUI0/pank4NQ+HUYwGzyTmsA8HCfV+lXyJxHQfQ1TBMZ6FnMY11s8I2ygDgYABAoB9xlfEWFvm' +
      'o1jQoVPL5r9iYy1ZmPkpRXBvi7zDSTG2lnH4GRtrkXnEWNsy+yeKjZRaZuEBgdOoodHl/QzxBYUQhJw+ESRIy2NKY4w+0JGN7sBM' +
      'o/IrYva0jBpHQqOijxRFi4uiRY2SapSRNWqsiS7WRCsWo6zlxKhOjhhlRa0YzYipUagqRZ+jhpHhaBiQAsWxsfrCBJyOo3Y9SaSO' +
      'PjYIJ6qlUKChvHhillE4dlr0cFEloBQdlFFRRgEyClmWQqkueco6GRKlgei96tKJqgHwIDyVRcc2w6hkJzHqvk3YjW3/upXmlA2Z' +
      'YXWMSjI6g9EyGg0zjW5odKPRLI1mNBq1FG3QadHcLyiKrOLObVEwRRsp+qRohy3aadHftegsW/TRok+LJpaUoshkoHDqFgW1aNOi' +
      'rRZtUrSVok2KdjJJwxItigInaE9S46LLtt+AUcRgT31RmUWVgSlxGc1jFAajJbdZpqLkHkgUWEMUBdCoaZKNKM1V1LSAilYt0Bik' +
      'j7hsmqooo7ArGlqi+4pOWIqiOIqeV4qiYi8EEG0a5hmjqOirASd6TSgh8fhySKJQ7Cm6CRIWLVl0HUZvlo5ROk0ypoGglC69orAD' +
      'IqZxNMGssyDCbEAddTBebDMO3m67rjLdzaUtrJj54PvND/tq2wG8kmZGWMWXI9ZuGvEfIXsJsw8w++En/lvuO09k30t/WR9+So6M' +
      'N1iStFVbkRjvTEqf4iTBk+9rkaEL6j/9ymr7Y2FW28lU7CHA4dDrDp7bub9G162P0vPfSPo5qFKQM1CjLanPTLoeVhcJGWN6kyP4' +
      '5dzMV5W6j8Ppk6lx29dFV3KJ33KgutmzybTiLxWCkvw1WZ7uJmTV3AUpSMMkRGEaJBFln4epeRp1V4fvltRSzVzIpcvf4iVvec4k' +
      '+gjCNL1wllujWFIAShU4KjsQ',
  ],
]

/** A frame of blocks of our own: a window's descriptor, then [kind, size, bytes]. */
function frame(descriptor: number, blocks: [kind: number, size: number, bytes: Buffer][], flags = 0): Buffer {
  const parts = blocks.map(([kind, size, bytes], i) => {
    const header = Buffer.alloc(3)
    header.writeUIntLE((size << 3) | (kind << 1) | (i === blocks.length - 1 ? 1 : 0), 0, 3)
    return Buffer.concat([header, bytes])
  })
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, flags, descriptor]), ...parts])
}
const WINDOW_1_MIB = 80
const plain = (text: string) => frame(WINDOW_1_MIB, [[0, text.length, Buffer.from(text)]])

describe('a body', () => {
  it.each(FORMS)('is read: %s', (_what, text, body) => {
    expect(open(Buffer.from(body, 'base64'))?.toString() === text).toBe(true)
  })

  it('may have several frames, and some to skip', () => {
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9])
    expect(open(Buffer.concat([plain('one '), skipped, plain('two')]))?.toString()).toBe('one two')
  })

  it('is read no further than it may grow', () => {
    const bomb = frame(
      WINDOW_1_MIB,
      Array.from({ length: 1000 }, () => [1, 100_000, Buffer.from('a')]),
    )
    expect(open(bomb)).toBe(undefined)
    expect(open(bomb, 100_000_000)?.length).toBe(100_000_000)
  })

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['another format', Buffer.from('hello, hello')],
    ['half a frame', Buffer.from(FORMS[0]![2], 'base64').subarray(0, 40)],
    ['a size of 1 GiB in one segment', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 64, 1, 0, 0])],
    ['a window of 2 GiB', frame(21 << 3, [[0, 1, Buffer.from('a')]])],
    ['a dictionary', frame(WINDOW_1_MIB, [[0, 1, Buffer.from('a')]], 1)],
    ['a block of no kind', frame(WINDOW_1_MIB, [[3, 1, Buffer.from('a')]])],
    ['a good frame and another format', Buffer.concat([plain('one'), Buffer.from('hello, hello')])],
  ])('is refused: %s', (_what, body) => {
    expect(open(body)).toBe(undefined)
  })

  it('may be broken anywhere', () => {
    for (const [, , text] of FORMS) {
      const good = Buffer.from(text, 'base64')
      for (let at = 0; at < good.length; at++) {
        const bad = Buffer.from(good)
        bad[at] = bad[at]! ^ 0x55
        expect(open(bad)?.length ?? 0).toBeLessThanOrEqual(1 << 20)
      }
    }
    expect(open(plain('still'))?.toString()).toBe('still')
  })
})
