/** What commands show: to people as text, to programs as JSON. Every command that lists or shows something uses this. */
import type { Command } from 'commander'
import { table } from './table.js'

export interface Shown {
  /** what `--json` prints */
  value: unknown
  /** with a line break at its end */
  text: string
}

/** Gives `command` its action and the option `--json`. */
export function showing<Arguments extends unknown[]>(
  command: Command,
  show: (...given: Arguments) => Promise<Shown>,
): Command {
  return command.option('--json', 'print JSON').action(async (...given: unknown[]) => {
    const { value, text } = await show(...(given as Arguments))
    process.stdout.write(command.opts().json ? `${JSON.stringify(value, undefined, 2)}\n` : text)
  })
}

/** A time of an answer as people read it, in UTC to the second. */
export const timeText = (time: string): string => time.slice(0, 19).replace('T', ' ')

/** A list. @param header of the columns @param cells an item's row @param none the text without items */
export function list<Item>(
  items: readonly Item[],
  header: readonly string[],
  cells: (item: Item) => string[],
  none = '',
): Shown {
  if (items.length === 0 && none !== '') return { value: items, text: `${none}\n` }
  return { value: items, text: table([header, ...items.map(cells)]) }
}
