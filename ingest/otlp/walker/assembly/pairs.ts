/** Where two bytes stand at a distance, the first and the last of a literal that masking looks for. */

/**
 * Writes, at `out`, where 16 bytes begin among which is `first` with `last` behind it, `apart` bytes on, as distances from
 * `from`. Bits of the cases are set in bytes before they are compared. Returns how many there are.
 */
export function pairs(
  from: usize,
  to: usize,
  first: i32,
  last: i32,
  firstCase: i32,
  lastCase: i32,
  apart: usize,
  out: usize,
): i32 {
  const one = i8x16.splat(<i8>first)
  const other = i8x16.splat(<i8>last)
  const oneCase = i8x16.splat(<i8>firstCase)
  const otherCase = i8x16.splat(<i8>lastCase)
  let count = 0
  for (let at = from; at < to; at += 64) {
    const a = pair(at, one, other, oneCase, otherCase, apart)
    const b = pair(at + 16, one, other, oneCase, otherCase, apart)
    const c = pair(at + 32, one, other, oneCase, otherCase, apart)
    const d = pair(at + 48, one, other, oneCase, otherCase, apart)
    if (v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) {
      for (let i: usize = 0; i < 64; i += 16) {
        const here = i === 0 ? a : i === 16 ? b : i === 32 ? c : d
        if (!v128.any_true(here)) continue
        store<u32>(out + ((<usize>count) << 2), <u32>(at + i - from))
        count++
      }
    }
  }
  return count
}

function pair(at: usize, one: v128, other: v128, oneCase: v128, otherCase: v128, apart: usize): v128 {
  return v128.and(
    i8x16.eq(v128.or(v128.load(at), oneCase), one),
    i8x16.eq(v128.or(v128.load(at + apart), otherCase), other),
  )
}
