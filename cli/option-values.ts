/** What several commands read from the text of an option. */
import { CommandError } from './command.js'
import { readNamed } from './named-file.js'

/** @throws CommandError naming the option */
export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new CommandError(`${option} must be a whole number from 1`, 2)
  return Number(text)
}

/** The time of an option in ISO 8601, UTC; undefined where it was not given. @throws CommandError naming the option */
export function momentOf(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new CommandError(
      `${option} ${text} is not a time: write it such as 2026-01-31 or 2026-01-31T12:00:00Z`,
      2,
    )
  return new Date(time).toISOString()
}

/** The `$expr` that an option has as JSON, or in a file after an @. @throws CommandError naming the option */
export function expressionOf(option: string, text: string): unknown {
  const value = jsonOf(option, text) as { $expr?: unknown } | null
  return value?.$expr ?? value
}

/** What an option has as JSON, or in a file after an @. @throws CommandError naming the option */
export function jsonOf(option: string, text: string): unknown {
  const source = text.startsWith('@') ? readNamed(text.slice(1)).toString() : text
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new CommandError(`${option} is not JSON: ${(error as Error).message}`, 2)
  }
}
