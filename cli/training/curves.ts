/** `heddle curves`: plots the metrics of training jobs to a file, as the pages show them. */
import { writeFileSync } from 'node:fs'
import { type JobPoints, joined, usualMetrics } from '../../web/curves.js'
import { CommandError } from '../command.js'
import type { Target } from '../http-client.js'
import { unwritable } from '../named-file.js'
import { drawing } from './drawing.js'
import { items, type Job, jobPath, readJson } from './training-client.js'

/** Pixels per unit, so that a PNG is sharp on dense screens. */
const ZOOM = 2
/** Fallback font. */
const FONT = { defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' }

/** Writes the file; returns a message. */
export async function drawCurves(
  to: Target,
  ids: readonly string[],
  { out, metrics, smooth, byModel }: { out: string; metrics?: string; smooth: string; byModel?: boolean },
): Promise<string> {
  const format = /\.(svg|png)$/.exec(out)?.[1]
  if (format === undefined) throw new CommandError('--out must end in .svg or .png', 2)
  const share = Number(smooth)
  if (!(share >= 0 && share < 1)) throw new CommandError('--smooth must be a number from 0 to 0.99', 2)
  const jobs = byModel ? await linesOf(to, ids) : await Promise.all(ids.map((id) => pointsOf(to, id)))
  const names = metrics?.split(',').map((name) => name.trim()) ?? usualMetrics(jobs)
  if (names.length === 0) throw new CommandError('these jobs have no steps yet')
  const svg = drawing(jobs, names, share)
  const picture = format === 'svg' ? svg : await png(svg)
  try {
    writeFileSync(out, picture)
  } catch (error) {
    throw unwritable(out, error)
  }
  return `wrote ${names.join(', ')} to ${out}\n`
}

async function pointsOf(to: Target, id: string): Promise<JobPoints> {
  const [job, { data }] = await Promise.all([
    readJson<Job>(to, jobPath(id)),
    readJson<{ data: JobPoints['points'] }>(to, jobPath(id, '/metrics')),
  ])
  return { label: `${job.model_name} · ${job.kind} · ${job.id}`, model: job.model_id, points: data }
}

/** One line per model, from all of its jobs. */
async function linesOf(to: Target, ids: readonly string[]): Promise<JobPoints[]> {
  const named = await Promise.all(ids.map((id) => readJson<Job>(to, jobPath(id))))
  const models = new Map(named.map((job) => [job.model_id, `${job.entity}/${job.project}/${job.model_name}`]))
  const jobs: JobPoints[] = []
  for (const [model, label] of models) {
    const path = `/v1/preview/training-jobs?order=asc&model_id=${encodeURIComponent(model)}`
    for await (const { id } of items<Job>(to, path)) jobs.push({ ...(await pointsOf(to, id)), label })
  }
  return joined(jobs)
}

/** @throws CommandError if the system has no fonts, since labels need them */
export async function png(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js')
  const options = { fitTo: { mode: 'zoom', value: ZOOM }, font: { loadSystemFonts: true, ...FONT } } as const
  const letters = new Resvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">x</text></svg>',
    options,
  )
  if (letters.innerBBox() === undefined)
    throw new CommandError('no fonts for a PNG; install some (fonts-dejavu-core), or write an .svg')
  return new Resvg(svg, options).render().asPng()
}
