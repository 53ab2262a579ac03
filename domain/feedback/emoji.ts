/** Recognises a single emoji, its name, and its form without skin tones (Unicode UTS #51). Pure. */
import { createRequire } from 'node:module'

interface Entry {
  slug: string
  skin_tone_support: boolean
}

const require = createRequire(import.meta.url)
const table = require('unicode-emoji-json/data-by-emoji.json') as Record<string, Entry>

const VARIATION = /\ufe0f/g
const TONES = /[\u{1f3fb}-\u{1f3ff}]/gu
const TONE_ON_TONE = /[\u{1f3fb}-\u{1f3ff}]{2}/u
const TONE_NAMES: Record<string, string> = {
  '\u{1f3fb}': 'light_skin_tone',
  '\u{1f3fc}': 'medium_light_skin_tone',
  '\u{1f3fd}': 'medium_skin_tone',
  '\u{1f3fe}': 'medium_dark_skin_tone',
  '\u{1f3ff}': 'dark_skin_tone',
}

/** Entries and full forms, keyed by the form without variation selectors: clients send either. */
const plain = new Map(
  Object.entries(table).map(([emoji, entry]) => [emoji.replaceAll(VARIATION, ''), { emoji, entry }]),
)

/** Names that are stored with a reaction's emoji. */
export interface EmojiNames {
  alias: string
  detoned: string
  detoned_alias: string
}

/** The names of `text` if it is exactly one emoji, else undefined. */
export function emojiNames(text: string): EmojiNames | undefined {
  if (TONE_ON_TONE.test(text)) return undefined
  const tones = text.match(TONES) ?? []
  const known = plain.get(text.replaceAll(TONES, '').replaceAll(VARIATION, ''))
  if (!known || (tones.length > 0 && !known.entry.skin_tone_support)) return undefined
  const { slug } = known.entry
  const tone = tones.map((mark) => `_${TONE_NAMES[mark]}`).join('')
  const detoned = tones.length > 0 ? known.emoji : text
  return { alias: `:${slug}${tone}:`, detoned, detoned_alias: `:${slug}:` }
}
