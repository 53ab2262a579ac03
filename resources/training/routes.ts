/**
 * Passes routes of the training interface on to it, so that pages need one origin. It decides on rights: it gets the
 * caller's own key or session.
 */
import { previewTrainingData } from '../../contract/training-data.js'
import * as jobs from '../../contract/training-jobs.js'
import * as models from '../../contract/training-models.js'
import { credentialsIn } from '../../domain/auth/session-cookie.js'
import { HeddleError } from '../../platform/errors/error.js'
import { targetOf } from '../../platform/http/path.js'
import { type Bound, Reply, type Request } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { traceHeaders } from '../../platform/telemetry/tracing.js'

const PASSED_ON: readonly RouteSpec[] = [
  ...[jobs.listJobs, jobs.getJob, jobs.jobMetrics, jobs.listJobLogs, jobs.listJobSamples],
  ...[jobs.createSftJob, jobs.createRlJob, jobs.cancelJob, jobs.resumeJob],
  ...[jobs.listEvents, previewTrainingData],
  ...[models.listTrainableModels, models.createModel, models.listCheckpoints, models.downloadCheckpoint],
] as unknown as RouteSpec[]
/** Bodies name their training data; who sends data itself asks the training interface. */
const MOST_BYTES = 2 ** 20
/** Until an answer begins: a job is made when its data is read. */
const TIMEOUT_MS = 600_000
const HEADERS = ['content-disposition', 'retry-after']

/** @param trainingUrl of the training interface, read when it is needed; undefined: there is none */
export function trainingRoutes(trainingUrl: () => string | undefined): Bound[] {
  return PASSED_ON.map((spec) => ({
    spec: {
      ...spec,
      project: 'none',
      streamed: false,
      ...(spec.body && { raw: true, maxBytes: MOST_BYTES }),
    },
    handle: (request) => passedOn(trainingUrl(), spec, request),
  }))
}

async function passedOn(base: string | undefined, spec: RouteSpec, request: Request): Promise<Reply> {
  if (base === undefined)
    throw new HeddleError('NO_TRAINING', 404, 'No training interface is configured; set HEDDLE_TRAINING_URL.')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS)
  try {
    const answer = await fetch(base + targetOf(spec.path, request.params, request.query), {
      method: spec.method,
      headers: {
        ...credentialsIn(request.headers),
        accept: 'application/json',
        'content-type': 'application/json',
        ...traceHeaders(),
      },
      ...(spec.body && { body: request.bytes as Uint8Array<ArrayBuffer> }),
      signal: AbortSignal.any([request.signal, late.signal]),
    })
    const headers = HEADERS.flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const type = answer.headers.get('content-type') ?? 'application/json'
    return new Reply(answer.status, type, answer.body ?? '', Object.fromEntries(headers))
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
  } finally {
    clearTimeout(timer)
  }
}
