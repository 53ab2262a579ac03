/** Text with the entropy of prose, different each time, from a seed. */

const WORDS =
  'the of and a to in is that for it as was with be by on not he this are or his from at which but have an had they you were their one all we can her has there been if more when will would who so no out up into than them only some could time these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three'.split(
    ' ',
  )

/** A stream of chances from a seed. */
export class Chance {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** An integer in [0, 2³²). */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }

  /** An integer in [0, below). */
  below(limit: number): number {
    return this.bits() % limit
  }
}

/** About `length` ASCII characters of words, with a rare number in between. Needs no escaping in JSON. */
export function prose(chance: Chance, length: number): string {
  let text = ''
  while (text.length < length) {
    const bits = chance.bits()
    text += bits % 23 === 0 ? `${bits.toString(36)} ` : `${WORDS[bits % WORDS.length]} `
  }
  return text.slice(0, length)
}
