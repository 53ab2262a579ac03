/** Declaration of the route of Langfuse's SDKs before version 3, which don't send OpenTelemetry. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { shortText } from './shared.js'

const event = z.looseObject({
  id: shortText.min(1),
  type: shortText.describe(
    'trace-create, span-create, span-update, generation-create, event-create, score-create, …',
  ),
  timestamp: z.iso.datetime({ offset: true }),
  body: z.record(z.string(), z.unknown()).nullish(),
})

export const langfuseIngestion = route({
  id: 'langfuse_ingestion',
  method: 'POST',
  path: '/api/public/ingestion',
  tag: 'OpenTelemetry',
  summary:
    'Store traces, observations and scores of a Langfuse SDK before version 3; its public key is the entity/project, its secret key an API key',
  access: 'write',
  // The user name of Basic authentication names it.
  project: 'handler',
  // A thread parses and reads it.
  raw: true,
  maxBytes: 4 << 20,
  body: z.object({ batch: z.array(event).max(10_000) }),
  answer: z.object({
    successes: z.array(z.object({ id: z.string(), status: z.int() })),
    errors: z.array(z.object({ id: z.string(), status: z.int(), message: z.string() })),
  }),
})

export type LangfuseEvent = z.output<typeof event>
