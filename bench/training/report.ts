/** Figures of training as Markdown. Pure. */
import { megabytes, short, table } from '../figures.js'
import type { Training } from './training.js'

const LEAST_RATIO = 0.9
const MOST_MS = 1000

/** The part of a run's page. */
export function trainingPart({ turns, beside, large, learnt }: Training): string[] {
  return [
    '## Training',
    `The demo model on the CPU: the recipe in a process of its own, and as a job through the service, ${turns} turns each; the best one counts. Steps are gradient steps, from the first event to the last, checkpoint included.`,
    table(
      [
        'recipe',
        'by itself, steps/s',
        'through the service',
        'ratio',
        `target`,
        'event to caller ms p50 / p99 / max',
        'target p99',
        'events',
      ],
      beside.map((one) => [
        one.recipe,
        short(one.bare),
        short(one.service),
        short(one.service / one.bare),
        `≥ ${LEAST_RATIO}${one.service / one.bare < LEAST_RATIO ? ' ✗' : ''}`,
        `${short(one.p50)} / ${short(one.p99)} / ${short(one.max)}`,
        `≤ ${short(MOST_MS)}${one.p99 > MOST_MS ? ' ✗' : ''}`,
        String(one.events),
      ]),
    ),
    `A job of ${short(large.groups)} groups of four trajectories, ${megabytes(large.bytes)} MB in one request, taken in ${short(large.seconds)} s; resident memory until its first steps are made:`,
    table(
      ['process', 'before, MB', 'peak, MB', 'more, MB'],
      large.processes.map((one) => [
        one.name,
        megabytes(one.beforeBytes),
        megabytes(one.peakBytes),
        megabytes(one.peakBytes - one.beforeBytes),
      ]),
    ),
    'What the recipes teach the demo model, from a new adapter; the worst of the seeds:',
    table(
      ['recipe', 'seeds', 'measure', 'at first', 'at last', 'gradient steps at most'],
      learnt.map((one) => [
        one.what,
        String(one.seeds),
        one.measure,
        short(one.first),
        short(one.last),
        String(one.steps),
      ]),
    ),
  ]
}
