/** What masking costs spans: the time to decode them without rules, with all detectors, and with a pattern, in turn. */

import type { Server } from '../../test/support/server.js'
import { budget, type Figures, percentile, type Row, short } from '../figures.js'
import { buildBody, stamp } from '../load/span-body.js'
import { authorization, say } from '../subject.js'

const SPANS = 500
const BODIES = 40
const ROUNDS = 15
const PROJECT = 'bench/masked'
const ENDED = 'heddle_ingest_decode_seconds_sum'

/** How much longer than without rules it may take. */
const MOST: Readonly<Record<string, number>> = { 'no rules, again': 1.02, 'all detectors': 1.1 }

/** How spans are masked; one after the other, again and again. */
async function waysOf(server: Server): Promise<Readonly<Record<string, readonly object[]>>> {
  const { components } = JSON.parse((await server.api.get('/openapi.json')).text) as Description
  const names = components.schemas.MaskRule.properties.detector.anyOf.flatMap((kind) => kind.enum ?? [])
  const detectors = names.map((detector) => ({ name: detector, detector }))
  return {
    'no rules': [],
    'no rules, again': [],
    'all detectors': detectors,
    'and a pattern': [...detectors, { name: 'staff', pattern: 'EMP-[0-9]{6}' }],
  }
}

interface Description {
  components: { schemas: { MaskRule: { properties: { detector: { anyOf: { enum?: string[] }[] } } } } }
}

export async function measureMasking(server: Server): Promise<Figures> {
  const bodies = Array.from({ length: BODIES }, (_, n) => buildBody(SPANS, n, PROJECT))
  let sent = 0
  /** µs of the decode thread for each span. */
  const decoded = async (): Promise<number> => {
    const before = await server.metric(ENDED)
    for (const body of bodies) {
      stamp(body, sent, 1, Date.now() * 1000, 1)
      sent += SPANS
      const headers = { ...authorization(server), 'content-type': 'application/x-protobuf' }
      const answer = await fetch(`${server.url}/otel/v1/traces`, {
        method: 'POST',
        body: body.bytes,
        headers,
      })
      if (!answer.ok) throw new Error(await answer.text())
    }
    return (((await server.metric(ENDED)) - before) * 1e6) / (BODIES * SPANS)
  }
  await decoded()
  const every = Object.entries(await waysOf(server))
  const times = new Map<string, number[]>(every.map(([way]) => [way, []]))
  for (let round = 0; round < ROUNDS; round++) {
    // Another one first each time.
    const turn = round % every.length
    for (const [way, rules] of [...every.slice(turn), ...every.slice(0, turn)]) {
      await server.api.ok('/masking/save', { scope: PROJECT, rules })
      times.get(way)!.push(await decoded())
    }
    say(`masking: round ${round + 1} of ${ROUNDS}`)
  }
  const plain = Math.min(...times.get('no rules')!)
  const rows = [...times].map(([way, all]): Row => {
    const best = Math.min(...all)
    const ratio = best / plain
    return {
      ...{ rules: way, 'µs a span, best': short(best), 'µs a span, p50': short(percentile(all, 0.5)) },
      'times without, best': ratio.toFixed(3),
      target: budget('≤', MOST[way], ratio),
    }
  })
  return [
    '## Masking',
    `Requests of ${SPANS} spans of 1.2 kB in which nothing is masked, ${BODIES} for each way, the ways in turn, ${ROUNDS} rounds; the time of the decode thread, which others on the machine hold up, so the best round of each way is compared:`,
    rows,
  ]
}
