/**
 * The error answers of the chat interface: `{error: {message, type, code}}`. Schema violations also keep their
 * `detail`; failures of workers and nodes become the caller's error.
 */
import { HeddleError, ValidationError } from '../../platform/errors/error.js'
import type { Failed } from './chat-job.js'

const TYPES: Record<number, string> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  409: 'ConflictError',
  413: 'BadRequestError',
  422: 'BadRequestError',
  429: 'RateLimitError',
  503: 'ServiceUnavailableError',
  504: 'TimeoutError',
}

/** The body of an error answer of this interface. */
export function problemBody(error: HeddleError): Record<string, unknown> {
  const { code, status, reason } = error
  const { reason: _, code: __, message: ___, ...rest } = error.body()
  const shown = {
    message: reason,
    type: TYPES[status] ?? (status < 500 ? 'BadRequestError' : 'InternalServerError'),
    param: error.extra.body?.param ?? null,
    code: status,
    reason: code,
  }
  delete rest.param
  if (error instanceof ValidationError) {
    const [first] = error.violations
    // The first part of a location names the part of the request.
    const path = first?.loc.slice(1) ?? []
    if (path.length > 0)
      Object.assign(shown, { message: `${path.join('.')}: ${reason}.`, param: String(path[0]) })
  }
  return { ...rest, error: shown }
}

const wait = (seconds: number) => ({ headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } })

/** Whose waiting requests reached the limit. */
const WAITING = {
  key: ' of this key',
  entity: ' of this entity',
  model: '',
}

/** Errors specific to this interface. */
export const problems = {
  noMessages: () => bad('EMPTY_MESSAGES', 'Send at least one message.', 'messages'),
  /** Contradictory fields. */
  conflict: (reason: string, field: string) => bad('FIELDS_CONFLICT', reason, field),
  /** A node refused the request. */
  refused: (code: string, reason: string, field?: string) => bad(code, reason, field),
  noChat: (model: string) =>
    bad(
      'NO_CHAT',
      `The model ${model} makes embeddings and doesn't chat; send it to /v1/embeddings, or name another model.`,
      'model',
    ),
  noEmbeddings: (model: string) =>
    bad(
      'NO_EMBEDDINGS',
      `The model ${model} chats and makes no embeddings; name an embedding model, which GET /v1/models shows.`,
      'model',
    ),
  noImages: (model: string) =>
    bad(
      'NO_IMAGES',
      `The model ${model} takes no images; send text, or name a model that takes them, which GET /v1/models shows.`,
      'messages',
    ),
  foreignCompaction: () =>
    bad(
      'FOREIGN_COMPACTION',
      'The compaction is not one of this Heddle, so the conversation in it is lost; send the items that it sums up.',
      'input',
    ),
  noPriorities: (model: string) =>
    bad(
      'NO_PRIORITIES',
      `The model ${model} is served without priority scheduling; omit priority, or send 0.`,
      'priority',
    ),
  unknownModel: (model: string) =>
    new HeddleError(
      'UNKNOWN_MODEL',
      404,
      `This Heddle has no model ${JSON.stringify(model)}, or the key may not use it; GET /v1/models lists the models. To call another provider, unset OPENAI_BASE_URL.`,
      { body: { param: 'model' } },
    ),
  noNode: (model: string | undefined) =>
    new HeddleError(
      'NO_NODE',
      503,
      model === undefined
        ? 'No model node is up; start one (HEDDLE_NODES), then send the request again.'
        : `No node that serves ${model} is up; send the request again later.`,
      wait(5),
    ),
  queueFull: (model: string, bound: keyof typeof WAITING, seconds: number) =>
    new HeddleError(
      'QUEUE_FULL',
      429,
      `Too many requests${WAITING[bound]} wait for ${model}; send the request again later.`,
      wait(seconds),
    ),
  rateLimited: (what: string, limit: number, seconds: number) =>
    new HeddleError(
      'RATE_LIMITED',
      429,
      `This key has used its ${limit} ${what} per minute; send the request again later.`,
      wait(seconds),
    ),
  tooLate: () =>
    new HeddleError(
      'TOO_LATE',
      504,
      'The answer took too long and was stopped; ask for fewer tokens, or try again later.',
    ),
  queuesAway: (cause?: unknown) =>
    new HeddleError('QUEUES_AWAY', 503, 'The queues are unreachable; send the request again.', {
      ...wait(1),
      cause,
    }),
  /** The request's worker or node is gone, and no other can take over. */
  lost: (reason: string) => new HeddleError('LOST', 503, reason, wait(1)),
}

function bad(code: string, reason: string, field?: string): HeddleError {
  return new HeddleError(code, 400, reason, field === undefined ? {} : { body: { param: field } })
}

/** Numbers of google.rpc.Code. */
const INVALID_ARGUMENT = 3
const DEADLINE_EXCEEDED = 4
const NOT_FOUND = 5
const RESOURCE_EXHAUSTED = 8
const FAILED_PRECONDITION = 9
const UNAVAILABLE = 14
const DATA_LOSS = 15

/** The error for a caller whose request failed on a worker or a node. */
export function problemOf({ code, status, message, field }: Omit<Failed, 'retriable'>): HeddleError {
  if (status === INVALID_ARGUMENT || status === FAILED_PRECONDITION)
    return problems.refused(code, message, field)
  if (status === NOT_FOUND) return new HeddleError(code, 404, message, { body: { param: 'model' } })
  if (status === DATA_LOSS) return new HeddleError(code, 409, message)
  if (status === DEADLINE_EXCEEDED) return problems.tooLate()
  if (status === RESOURCE_EXHAUSTED) return new HeddleError(code, 429, message, wait(2))
  if (status === UNAVAILABLE) return new HeddleError(code, 503, message, wait(2))
  return new HeddleError(code, 500, message)
}
