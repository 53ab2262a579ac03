import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, flag, shortText } from './shared.js'

/** Most refs in one request. */
export const REFS_LIMIT = 1000

export const refsReadBatch = route({
  id: 'refs_read_batch',
  method: 'POST',
  path: '/refs/read_batch',
  tag: 'Refs',
  summary: 'Read the values of refs to objects and ops, in order; null for deleted objects',
  access: 'read',
  project: 'handler',
  body: component('RefsReadBatchReq', {
    refs: z.array(shortText).meta({
      description: `at most ${REFS_LIMIT} refs of the form weave:///entity/project/object/name:digest/…`,
      examples: [['weave:///acme/assistant/object/prompt:latest/attr/content']],
    }),
    allow_missing: flag(false).describe(
      'null also for objects that are missing or that the key may not read, and for other refs, instead of an error',
    ),
  }),
  answer: component('RefsReadBatchRes', { vals: z.array(z.unknown()) }),
})
