/** What several commands read from the text of an option. */
import { readFileSync } from 'node:fs'
import { spanOpName } from '../domain/refs/op-name.js'
import { CommandError } from './command.js'

/** @throws CommandError naming the option */
export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new CommandError(`${option} must be a whole number from 1`, 2)
  return Number(text)
}

/** The `$expr` that an option has as JSON, or in a file after an @. @throws CommandError naming the option */
export function expressionOf(option: string, text: string): unknown {
  try {
    const source = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text
    const value = JSON.parse(source) as Record<string, unknown>
    return value.$expr ?? value
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : "can't be read"
    throw new CommandError(`${option} ${problem}: ${(error as Error).message}`, 2)
  }
}

/**
 * A name matches itself and an op of any version: of an SDK, of a span, and of spans that were stored when
 * refs escaped their names.
 */
export function opNames(project: string, name: string): string[] {
  if (name.startsWith('weave:///')) return [name]
  const ops = new Set([encodeURIComponent(name), spanOpName(name)])
  return [name, ...[...ops].map((op) => `weave:///${project}/op/${op}:*`)]
}
