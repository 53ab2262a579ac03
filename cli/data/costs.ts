/** `heddle costs`: updates the default prices. */
import type { Store } from '../../platform/clickhouse/store.js'
import { loadPrices, type PriceList, parsePrices, shippedPrices } from '../../query/costs/default-prices.js'
import { CommandError } from '../command.js'
import { readNamed } from '../named-file.js'

/** The list in `file`, or the built-in one. @throws CommandError if it can't be read, or is invalid */
export function priceList(file: string | undefined): PriceList {
  if (file === undefined) return shippedPrices()
  const text = readNamed(file).toString()
  try {
    return parsePrices(text)
  } catch (error) {
    throw new CommandError(`${file} is not a price list: ${(error as Error).message}`, 2)
  }
}

/** Stores the new prices of `list` and returns a summary. */
export async function loadCosts(store: Store, list: PriceList): Promise<string> {
  const added = await loadPrices(store, list)
  return `loaded ${added} of ${list.prices.length} prices of ${list.as_of}; the others existed already`
}
