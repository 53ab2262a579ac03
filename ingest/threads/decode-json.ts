/** The requests of a batch whose bodies are JSON calls. Knows the calls' decoder and the thread's messages. */

import type { CallBlock } from '../../domain/calls/block.js'
import type { Counts } from '../../domain/masking/counts.js'
import type { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { errors } from '../../platform/errors/catalog.js'
import { Principal } from '../../platform/http/principal.js'
import { uuid7Time } from '../../platform/ids/uuid7.js'
import { decodeCalls } from '../calls/decode.js'
import { maskCalls } from '../calls/mask.js'
import type { RowKeys } from '../calls/row-keys.js'
import { refusal } from './refusal.js'
import type { RowMetadata } from './rows.js'
import type { Outcome, RawWrite } from './task.js'

/**
 * Appends the rows of the JSON ones of `requests`, and fills in their outcomes.
 * @param rules by which their texts are masked @param counts what is masked is added here
 */
export function decodeJson(
  requests: readonly RawWrite[],
  outcomes: (Outcome | undefined)[],
  calls: CallBlock,
  open: CallBlock,
  rules: RulesByScope | undefined,
  counts: Counts,
): { calls: RowMetadata[]; open: RowMetadata[] } {
  const which: number[] = []
  const readable = requests.flatMap((request, index) => {
    const { route, contentEncoding, userId, grants } = request
    if (route === 'otlp' || route === 'otlp_logs') return []
    if (contentEncoding !== '' && contentEncoding !== 'identity') {
      outcomes[index] = refusal(errors.badMediaType(contentEncoding))
      return []
    }
    which.push(index)
    const principal = new Principal(userId, '', grants)
    const body = rules === undefined ? request.body : maskCalls(request.body, request.project, rules, counts)
    return [{ ...request, body, route, mayWrite: (project: string) => principal.may('write', project) }]
  })
  if (readable.length === 0) return { calls: [], open: [] }
  const decoded = decodeCalls(readable, calls, open)
  decoded.outcomes.forEach((outcome, i) => {
    outcomes[which[i]!] =
      'error' in outcome
        ? refusal(outcome.error)
        : {
            status: 200,
            contentType: 'application/json',
            body: outcome.answer,
            headers: {},
            accepted: outcome.calls,
            rejected: 0,
            sampledOut: 0,
            projects: outcome.projects,
          }
  })
  return { calls: [metadataOf(decoded.calls, which)], open: [metadataOf(decoded.open, which)] }
}

function metadataOf({ ids, kinds, hashes, requests }: RowKeys, which: readonly number[]): RowMetadata {
  return {
    kinds,
    hashes,
    born: Float64Array.from(ids, (id) => uuid7Time(id) ?? Number.NEGATIVE_INFINITY),
    requests: requests.map((request) => which[request]!),
  }
}
