/** Checks a line of SFT or DPO data and makes the stored line. Pure. */
import { isUtf8 } from 'node:buffer'
import { conversationFault } from '../../domain/training/conversations.js'
import { pairOf } from '../../domain/training/pairs.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { trainingProblems } from './problems.js'

export interface DataLine {
  bytes: Uint8Array
  number: number
  kind: 'sft' | 'dpo'
}

/**
 * The conversation, or the pair of answers, as JSON text without line breaks; empty for an empty line.
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
      `Line ${number} of the training data is not JSON (${(error as Error).message}); write one ${kind === 'dpo' ? 'pair of answers' : 'conversation'} per line.`,
    )
  }
  const found = kind === 'dpo' ? pairOf(value) : (conversationFault(value) ?? value)
  if (typeof found === 'string')
    throw trainingProblems.badData(`Line ${number} of the training data can't be used: ${found}.`)
  return JSON.stringify(found)
}
