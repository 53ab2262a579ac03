/** The columns that say where and by what a span was made: see `ingest/otlp/labels.ts`. */
import { isSet, setText } from './column'
import { firstToken } from './host'
import { environment, first_token, LABEL_SIZE, LABELS, release, version } from './layout'
import { first, firstText, from, to } from './lookup'
import { fail, UNSUPPORTED } from './output'
import { countOf, firstTokenOf, labelsOf, sourcesOf, targetOf, unitOf } from './plan'

/** Longer texts are left to TypeScript, which cuts them. */
const MAX_LABEL: usize = 512

/** Sets the columns of the row. @param started µs since the epoch */
export function writeLabels(plan: usize, row: usize, started: u64): void {
  const labels = labelsOf(plan)
  for (let i = 0; i < countOf(labels); i++) {
    if (!firstText(sourcesOf(labels, i))) continue
    if (to - from > MAX_LABEL) fail(UNSUPPORTED)
    else setText(targetOf(labels, i), from, to)
  }
  writeOfResource(environment, LABELS)
  writeOfResource(release, LABELS + LABEL_SIZE)
  writeOfResource(version, LABELS + 2 * LABEL_SIZE)
  const sources = firstTokenOf(plan)
  const source = countOf(sources) > 0 ? first(sources) : 0
  const micros = source === 0 ? 0 : firstToken(unitOf(source), from, to, <f64>started)
  store<u32>(first_token + row * 4, micros)
}

/** What the resource says, where the span doesn't. */
function writeOfResource(column: usize, label: usize): void {
  const length: usize = load<u32>(label)
  if (length > 0 && !isSet(column)) setText(column, label + 4, label + 4 + length)
}
