/** Everything but calls: objects, refs, a large table, feedback. */
import type { Server } from '../../test/support/server.js'
import { measureReads, type ReadFigures } from '../read/measure.js'
import { feedbackScenarios, measureFeedback } from './feedback.js'
import { measureObjects, readYourWrites } from './objects.js'
import { pageScenarios } from './pages.js'
import type { RateFigures } from './rate.js'
import { refScenarios } from './refs.js'
import { measureTable } from './table.js'

export interface Resources {
  tableRows: number
  rowBytes: number
  rates: RateFigures[]
  reads: ReadFigures[]
}

const LIMITS = { requests: 100, seconds: 6 }

/** Measures all of it on one server; the table has `tableRows` rows. */
export async function measureResources(
  server: Server,
  tableRows: number,
  onProgress: (text: string) => void,
): Promise<Resources> {
  onProgress('objects')
  const objects = await measureObjects(server)
  onProgress(`a table of ${tableRows} rows`)
  const { rates, table } = await measureTable(server, tableRows)
  onProgress('feedback')
  const feedback = await measureFeedback(server)
  onProgress('reading')
  const list = [
    readYourWrites(server),
    ...refScenarios(objects.published, table),
    ...pageScenarios(table),
    ...feedbackScenarios(feedback.calls),
  ]
  return {
    tableRows,
    rowBytes: table.bytes / tableRows,
    rates: [...objects.rates, ...rates, feedback.rate],
    reads: await measureReads(server, list, LIMITS, true),
  }
}
