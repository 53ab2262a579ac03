/**
 * The page of training jobs, and the two reads behind it. The reads are passed on to the training interface
 * with the caller's own key, so that the page needs one origin, and rights are decided in one place. Knows nothing of jobs.
 */
import { trainingPage, trainingPageJobs, trainingPageMetrics } from '../../contract/training-page.js'
import { servedPage } from '../../domain/web/pages.js'
import { HeddleError } from '../../platform/errors/error.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { traceHeaders } from '../../platform/telemetry/tracing.js'

const TIMEOUT_MS = 30_000

/** @param trainingUrl of the training interface, read when it is needed; undefined: there is none */
export function trainingPageRoutes(trainingUrl: () => string | undefined): Bound[] {
  return [
    serve(trainingPage, servedPage('training.html')),
    serve(trainingPageJobs, ({ query, headers, signal }) =>
      passedOn(trainingUrl(), '/v1/preview/training-jobs', query, headers, signal),
    ),
    serve(trainingPageMetrics, ({ params, query, headers, signal }) => {
      const id = encodeURIComponent(params.training_job_id)
      return passedOn(trainingUrl(), `/v1/preview/training-jobs/${id}/metrics`, query, headers, signal)
    }),
  ]
}

async function passedOn(
  base: string | undefined,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  headers: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Reply> {
  if (base === undefined)
    throw new HeddleError('NO_TRAINING', 404, 'No training interface is configured; set HEDDLE_TRAINING_URL.')
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  const url = `${base}${path}?${asked}`
  try {
    const answer = await fetch(url, {
      headers: {
        authorization: headers.get('authorization') ?? '',
        accept: 'application/json',
        ...traceHeaders(),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    return new Reply(answer.status, 'application/json', new Uint8Array(await answer.arrayBuffer()))
  } catch (cause) {
    throw new HeddleError(
      'TRAINING_AWAY',
      503,
      'The training interface does not answer; send the request again later.',
      {
        headers: { 'retry-after': '2' },
        cause,
      },
    )
  }
}
