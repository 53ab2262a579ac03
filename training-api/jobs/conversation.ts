/** Checks a line of fine-tuning data and makes the stored line. Pure. */
import { isUtf8 } from 'node:buffer'
import type { Method } from '../../contract/training-methods.js'
import { conversationFault } from '../../domain/training/conversations.js'
import { judgedOf } from '../../domain/training/judged.js'
import { pairOf } from '../../domain/training/pairs.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { trainingProblems } from './problems.js'

export interface DataLine {
  bytes: Uint8Array
  number: number
  kind: Method
}

/** What a line of each method's data holds, and the value to store, or why it can't be trained on. */
const LINES: Record<Method, { holds: string; checked: (value: unknown) => unknown }> = {
  sft: { holds: 'conversation', checked: (value) => conversationFault(value) ?? value },
  dpo: { holds: 'pair of answers', checked: pairOf },
  kto: { holds: 'judged answer', checked: judgedOf },
}

/**
 * The conversation, the pair of answers or the judged answer as JSON text without line breaks; empty for an empty line.
 * @throws `BAD_TRAINING_DATA` (400) that names the line
 */
export function conversationLine({ bytes, number, kind }: DataLine): string {
  if (!isUtf8(bytes)) throw trainingProblems.badData(`Line ${number} of the training data is not UTF-8.`)
  const text = bufferOf(bytes).toString('utf8').trim()
  if (text === '') return ''
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw trainingProblems.badData(
      `Line ${number} of the training data is not JSON (${(error as Error).message}); write one ${LINES[kind].holds} per line.`,
    )
  }
  const found = LINES[kind].checked(value)
  if (typeof found === 'string')
    throw trainingProblems.badData(`Line ${number} of the training data can't be used: ${found}.`)
  return JSON.stringify(found)
}
