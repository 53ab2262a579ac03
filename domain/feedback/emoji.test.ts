import { expect, it } from 'vitest'
import { emojiNames } from './emoji.js'

it.each([
  ['👍', ':thumbs_up:', '👍', ':thumbs_up:'],
  ['👍🏽', ':thumbs_up_medium_skin_tone:', '👍', ':thumbs_up:'],
  ['❤️', ':red_heart:', '❤️', ':red_heart:'],
  ['❤', ':red_heart:', '❤', ':red_heart:'],
  ['👨‍👩‍👧', ':family_man_woman_girl:', '👨‍👩‍👧', ':family_man_woman_girl:'],
  ['🇩🇪', ':flag_germany:', '🇩🇪', ':flag_germany:'],
  ['1️⃣', ':keycap_1:', '1️⃣', ':keycap_1:'],
])('%s is %s', (emoji, alias, detoned, detoned_alias) => {
  expect(emojiNames(emoji)).toEqual({ alias, detoned, detoned_alias })
})

it.each(['', 'a', '1', '👍👍', ' 👍', '❤️x', '🏽🏽', ':thumbs_up:', '🍕🏽', '👍🏽🏽'])(
  '%j is not one emoji',
  (text) => {
    expect(emojiNames(text)).toBeUndefined()
  },
)
