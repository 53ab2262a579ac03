/** `POST /v1/preview/training-data/preview`, bound. */
import { previewTrainingData } from '../../contract/training-data.js'
import { credentialsIn } from '../../domain/auth/session-cookie.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { outcomes } from './lines.js'
import { preview } from './preview.js'
import { rowsOf } from './rows.js'
import { checkReward } from './trace-lines.js'

/** @param tracingUrl the tracing interface's URL, read when needed */
export function traceDataRoutes(tracingUrl: () => string | undefined): Bound[] {
  return [
    serve(previewTrainingData, ({ body, headers, signal }) => {
      const { training_data: source, kind, rows: most, examples: show, reward } = body
      checkReward(source, kind, Boolean(reward))
      const caller = { credentials: credentialsIn(headers), signal }
      const rows = rowsOf(source, caller, tracingUrl(), most)
      return preview(outcomes(rows, kind, source), kind, { most, show })
    }),
  ]
}
