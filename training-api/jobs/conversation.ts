/** Checks a line of SFT data and makes the stored line. Pure. */
import { isUtf8 } from 'node:buffer'
import { conversationFault } from '../../domain/training/conversations.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { trainingProblems } from './problems.js'

/**
 * The conversation as JSON text without line breaks; empty for an empty line.
 * @throws `BAD_TRAINING_DATA` (400) that names the line
 */
export function conversationLine({ bytes, number }: { bytes: Uint8Array; number: number }): string {
  if (!isUtf8(bytes)) throw trainingProblems.badData(`Line ${number} of the training data is not UTF-8.`)
  const text = bufferOf(bytes).toString('utf8').trim()
  if (text === '') return ''
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw trainingProblems.badData(
      `Line ${number} of the training data is not JSON (${(error as Error).message}); write one conversation per line.`,
    )
  }
  const why = conversationFault(value)
  if (why !== undefined)
    throw trainingProblems.badData(`Line ${number} of the training data can't be used: ${why}.`)
  return JSON.stringify(value)
}
