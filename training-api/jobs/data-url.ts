/** Decodes `data:` addresses. Pure. */

import { HALF_PAIR } from '../../domain/training/conversations.js'
import { halfPairAt } from '../../platform/json/half-pairs.js'
import { trainingProblems } from './problems.js'

/** The bytes of a `data:` address. @throws `BAD_TRAINING_DATA` (400) */
export function dataOfUrl(url: string): Uint8Array {
  const comma = url.indexOf(',')
  if (comma < 0) throw trainingProblems.badData('A data: address needs a comma before its content.')
  const content = url.slice(comma + 1)
  // UTF-8 would replace half of a surrogate pair with another character.
  if (halfPairAt(content)) throw trainingProblems.badData(`The data: address has ${HALF_PAIR}.`)
  if (/;base64$/i.test(url.slice(0, comma))) {
    if (!/^[\w+/=\s-]*$/.test(content)) throw trainingProblems.badData('The data: address is not base64.')
    return Buffer.from(content, 'base64')
  }
  try {
    return Buffer.from(decodeURIComponent(content))
  } catch {
    throw trainingProblems.badData('The data: address has a percent sign without two hex digits.')
  }
}
