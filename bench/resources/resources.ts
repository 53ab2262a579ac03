/** Everything but calls: objects, refs, a large table, feedback. */
import type { Server } from '../../test/support/server.js'
import { type Figures, short } from '../figures.js'
import { measureReads } from '../read/measure.js'
import { say } from '../subject.js'
import { feedbackScenarios, measureFeedback } from './feedback.js'
import { measureObjects, readYourWrites } from './objects.js'
import { pageScenarios } from './pages.js'
import { refScenarios } from './refs.js'
import { measureTable } from './table.js'

const LIMITS = { requests: 100, seconds: 6 }

/** Measures all of it on one server; the table has `tableRows` rows. */
export async function measureResources(server: Server, tableRows: number): Promise<Figures> {
  say('objects')
  const objects = await measureObjects(server)
  say(`a table of ${tableRows} rows`)
  const { rates, table } = await measureTable(server, tableRows)
  say('feedback')
  const feedback = await measureFeedback(server)
  say('reading')
  const list = [
    readYourWrites(server),
    ...refScenarios(objects.published, table),
    ...pageScenarios(table),
    ...feedbackScenarios(feedback.calls),
  ]
  return [
    '## Objects, tables, refs, feedback',
    `The table has ${short(tableRows)} rows of ${short(table.bytes / tableRows)} bytes. Milliseconds are of a request.`,
    [...objects.rates, ...rates, feedback.rate],
    'One request at a time:',
    await measureReads(server, list, LIMITS),
  ]
}
