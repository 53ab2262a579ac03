/** The errors that callers can see, one line each. Users read them, tests assert them and the docs list them. */
import { HeddleError } from './error.js'

type Maker<A extends unknown[]> = (...args: A) => HeddleError

function define<A extends unknown[]>(code: string, status: number, reason: (...args: A) => string): Maker<A> {
  return (...args) => new HeddleError(code, status, reason(...args))
}

/** The header that says how many seconds a caller should wait. */
function retryAfter(seconds: number): { headers: Record<string, string> } {
  return { headers: { 'retry-after': String(seconds) } }
}

export const errors = {
  badRequest: define('BAD_REQUEST', 400, (reason: string) => reason),
  badFraming: define(
    'BAD_FRAMING',
    400,
    (why: string) => `The end of this request is ambiguous: ${why}. Send one Content-Length, or chunks.`,
  ),
  scimFilter: define('SCIM_FILTER', 400, (filter: string) => `The filter ${filter} can't be read.`),
  scimPath: define('SCIM_PATH', 400, (why: string) => `The path of a change is wrong: ${why}.`),
  scimValue: define('SCIM_VALUE', 400, (why: string) => `A value is wrong: ${why}.`),
  badBody: define('BAD_BODY', 400, (why: string) => `The body can't be read: ${why}.`),
  badField: define('UNKNOWN_FIELD', 422, (field: string) => `Unknown field: "${field}".`),
  exprTooLarge: define(
    'EXPRESSION_TOO_LARGE',
    422,
    () => 'This $expr is too large; use fewer conditions and less nesting.',
  ),
  pathTooLong: define(
    'PATH_TOO_LONG',
    422,
    (most: number) => `A path may contain at most ${most} list indexes; use a shorter one.`,
  ),
  badName: define('BAD_NAME', 422, (reason: string) => reason),
  noKey: define(
    'NO_KEY',
    401,
    () => 'Send an API key, as Bearer token or as the password of Basic authentication.',
  ),
  badKey: define(
    'BAD_KEY',
    401,
    () => 'This API key is unknown, expired or revoked; create one with `heddle keys create`.',
  ),
  noSession: define(
    'NO_SESSION',
    401,
    () => 'You are signed out, or your session has expired; sign in again.',
  ),
  userInactive: define(
    'USER_INACTIVE',
    401,
    () => 'This user was deactivated; ask who administers the users here.',
  ),
  badInvitation: define(
    'BAD_INVITATION',
    401,
    () =>
      'This invitation was used before, was revoked or has expired, or is for somebody else; ask for another one.',
  ),
  badCode: define(
    'BAD_CODE',
    401,
    () =>
      'This link was used before or has expired; restart Heddle to get another one, or sign in with a key.',
  ),
  signInExpired: define(
    'SIGN_IN_EXPIRED',
    401,
    () => 'This sign-in took too long, or was begun in another tab or browser; sign in again.',
  ),
  signInUsed: define(
    'SIGN_IN_USED',
    401,
    () => 'This answer of the provider was used before; sign in again.',
  ),
  signInBadAnswer: define(
    'SIGN_IN_BAD_ANSWER',
    401,
    () =>
      "The provider's answer is not to be trusted; sign in again, and tell an operator if that does not help.",
  ),
  signInRefused: define(
    'SIGN_IN_REFUSED',
    401,
    () => 'The provider does not accept this sign-in, or no longer; sign in again.',
  ),
  signInDenied: define(
    'SIGN_IN_DENIED',
    403,
    () => 'The provider did not let you in; sign in with another account.',
  ),
  signInNotAllowed: define(
    'SIGN_IN_NOT_ALLOWED',
    403,
    () => 'This account may not sign in here; ask an administrator to invite you.',
  ),
  signInEmailNotVerified: define(
    'SIGN_IN_EMAIL_NOT_VERIFIED',
    403,
    () => 'The provider has not verified your e-mail address; verify it there, and sign in again.',
  ),
  signInMisconfigured: define(
    'SIGN_IN_MISCONFIGURED',
    502,
    (error: string) =>
      `The provider does not know this Heddle (${error.replace(/[^\w.-]/g, ' ').slice(0, 60)}); an operator has to look at its client there.`,
  ),
  signInProviderDown: define(
    'SIGN_IN_PROVIDER_DOWN',
    503,
    () => 'The provider does not answer; try again in a minute, or sign in another way.',
  ),
  signInNoProvider: define(
    'SIGN_IN_NO_PROVIDER',
    404,
    () => 'There is no such provider here; choose another way to sign in.',
  ),
  signInNameTaken: define(
    'SIGN_IN_NAME_TAKEN',
    409,
    () => 'Your e-mail address belongs to another user here; ask an administrator to look at that.',
  ),
  signInBadLink: define(
    'SIGN_IN_BAD_LINK',
    401,
    () => 'This link was used before or has expired; ask for another one.',
  ),
  signInTooOften: () =>
    new HeddleError(
      'SIGN_IN_TOO_OFTEN',
      429,
      'Too many tries to sign in come from where you are; wait a quarter of an hour.',
      retryAfter(900),
    ),
  badOrigin: define(
    'BAD_ORIGIN',
    403,
    () => 'Only pages of this service may use a session; send an API key instead.',
  ),
  badLink: define(
    'BAD_LINK',
    403,
    () => 'This link has expired or is wrong; ask the route that gave it for another one.',
  ),
  noPublicKey: define(
    'NO_PUBLIC_KEY',
    400,
    () => "Set Langfuse's public key to the entity/project, and its secret key to an API key.",
  ),
  noRight: define(
    'NO_RIGHT',
    403,
    (right: string, project: string) => `This key has no ${right} access to ${project}.`,
  ),
  elsewhere: define(
    'WRONG_ADDRESS',
    403,
    () => 'This key may not be used from your address; use another key, or ask who made it.',
  ),
  modelNotAllowed: define(
    'MODEL_NOT_ALLOWED',
    403,
    (model: string) => `This key may not ask the model ${model}; use another key, or ask who made it.`,
  ),
  noUser: define(
    'NO_USER',
    403,
    () => 'This is for users who are signed in, and this key is none of a user; sign in on the pages.',
  ),
  strongerMember: define(
    'STRONGER_MEMBER',
    403,
    (who: string) => `${who} has more rights than you; ask somebody who has them too.`,
  ),
  unheldRight: define('UNHELD_RIGHT', 403, (what: string) => `You can't give what you don't have: ${what}.`),
  notFound: define('NOT_FOUND', 404, (what: string) => `${what} was not found.`),
  noMedia: define('NO_MEDIA', 404, (id: string, status: number, error: string) => {
    const why = status === 0 ? 'nobody has uploaded them yet' : `their upload ended with ${status}`
    return `The bytes of media ${id} are not here: ${why}${error === '' ? '' : ` (${error})`}.`
  }),
  noRoute: (method: string, path: string, here = 'see /docs') => {
    const message = `Unknown route: ${method} ${path}; ${here}.`
    // Of an answer at the wrong port, SDKs of other interfaces show `message` alone.
    return new HeddleError('NO_ROUTE', 404, message, { body: { message } })
  },
  noMethod: (method: string, allowed: readonly string[]) =>
    new HeddleError(
      'NO_METHOD',
      405,
      `This path does not accept ${method}, only ${allowed.join(', ')}; see /docs.`,
      {
        headers: { allow: allowed.join(', ') },
      },
    ),
  /** It existed and was deleted. `at` is ISO 8601. */
  deleted: (what: string, at: string) =>
    new HeddleError('NOT_FOUND', 404, `${what} was deleted at ${at}.`, { body: { deleted_at: at } }),
  conflict: define('CONFLICT', 409, (reason: string) => reason),
  personsKey: define(
    'PERSONS_KEY',
    409,
    (who: string) =>
      `${who} is a person, who makes personal keys; make keys of programs for a service account.`,
  ),
  lastOwner: define(
    'LAST_OWNER',
    409,
    (scope: string) => `That would leave ${scope} without an owner; make somebody else its owner first.`,
  ),
  nameTaken: define('NAME_TAKEN', 409, (name: string) => `The name ${name} is taken; choose another one.`),
  changedMeanwhile: define(
    'CHANGED_MEANWHILE',
    409,
    (what: string) =>
      `${what} was changed by somebody else meanwhile; read it again, and send your change for what it is now.`,
  ),
  /** The same for every link that leads nowhere, so that nobody learns why. */
  noShare: () =>
    new HeddleError(
      'NO_SHARE',
      404,
      'There is nothing here: the link is wrong, has expired or was revoked; ask who sent it for another.',
      { headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } },
    ),
  sharingOff: define(
    'SHARING_OFF',
    403,
    () => 'This server makes no links for people without a key; an operator sets HEDDLE_SHARE_DAYS_MOST.',
  ),
  busy: define('BUSY', 409, () => 'Another request is changing the same object; send the request again.'),
  oldVersion: define(
    'OLD_VERSION',
    412,
    () => 'It was changed since you read it; read it again, and send your change for what it is now.',
  ),
  tooLarge: define('TOO_LARGE', 413, () => 'Request too large'),
  inflatesTooMuch: define(
    'INFLATES_TOO_MUCH',
    413,
    (times: number) => `The body inflates to more than ${times} times its size; send it uncompressed.`,
  ),
  tooMany: define(
    'TOO_MANY',
    413,
    (what: string, limit: number) => `Request too large: send at most ${limit} ${what} in one request.`,
  ),
  tooComplex: define(
    'TOO_COMPLEX',
    413,
    () => 'Reading the request takes too long; send less in one request, or a simpler one.',
  ),
  badAddress: define('BAD_ADDRESS', 400, (why: string) => `This address can't be used: ${why}.`),
  upstream: define('UPSTREAM', 502, (why: string) => `The upstream server failed: ${why}.`),
  noProvider: define(
    'NO_PROVIDER',
    404,
    (model: string, why: string) =>
      `The model "${model.slice(0, 200)}" can't be used: ${why}. Use custom::<provider>::<model> with the name of a Provider object.`,
  ),
  badProvider: define(
    'BAD_PROVIDER',
    400,
    (object: string, why: string) => `The object "${object}" can't be used as a provider: ${why}.`,
  ),
  noSecret: define(
    'NO_SECRET',
    400,
    (name: string) =>
      `Secret "${name.slice(0, 200)}" not found for this project; an operator sets it with \`heddle secrets set\`.`,
  ),
  secretNotFor: define(
    'SECRET_NOT_FOR',
    400,
    (name: string, origin: string) =>
      `The secret "${name}" may only be sent to ${origin}; change the provider's base_url, or ask an operator to set the secret for that address.`,
  ),
  badSecret: define(
    'BAD_SECRET',
    400,
    (name: string) => `The secret "${name}" can't be sent in a header; set it again.`,
  ),
  /** Nobody would run the evaluation, so it is not accepted. */
  invalidMonitor: define('INVALID_MONITOR', 400, (why: string) => `This monitor can't be applied: ${why}.`),
  invalidRule: define('INVALID_RULE', 400, (why: string) => `This rule can't be applied: ${why}.`),
  ruleCircle: define(
    'RULE_CIRCLE',
    400,
    (names: readonly string[]) =>
      `These rules would set each other off for ever: ${names.join(' → ')}. Narrow a trigger, or leave out an action.`,
  ),
  evaluationsOff: (why: string) =>
    new HeddleError('EVALUATIONS_OFF', 503, `This server runs no evaluations now: ${why}.`, retryAfter(60)),
  badMediaType: define(
    'BAD_MEDIA_TYPE',
    415,
    (got: string) => `This route does not support the content type or encoding "${got}".`,
  ),
  badRange: (size: number) =>
    new HeddleError('BAD_RANGE', 416, `The content has ${size} bytes; ask for a range within them.`, {
      headers: { 'content-range': `bytes */${size}` },
    }),
  limitHit: define(
    'LIMIT_HIT',
    502,
    (what: string) => `The query exceeded its limit of ${what}; add a filter, or ask for fewer columns.`,
  ),
  tooSlow: define(
    'TOO_SLOW',
    504,
    () =>
      'The query would take too long and was stopped; add a filter by time, op or thread, or by equality with a text.',
  ),
  internal: define('INTERNAL', 500, () => 'Internal error; the log has the details under this request id.'),

  /** The store is unreachable: nothing was acknowledged. */
  unavailable: (cause?: unknown) =>
    new HeddleError('STORE_UNAVAILABLE', 503, 'The store is unreachable; send the request again later.', {
      ...retryAfter(2),
      cause,
    }),
  /** What is not in the audit log is not done. */
  auditUnavailable: (cause?: unknown) =>
    new HeddleError(
      'AUDIT_UNAVAILABLE',
      503,
      "The audit log can't be written, so nothing was changed; send the request again later.",
      { ...retryAfter(2), cause },
    ),
  /** The store answers but can't take more now: no space, or too much load. Nothing was acknowledged. */
  storeBusy: (cause?: unknown) =>
    new HeddleError('STORE_BUSY', 503, 'The store is busy; send the request again later.', {
      ...retryAfter(2),
      cause,
    }),
  /** The store's disk is full. Nothing was saved; reads go on. */
  storeFull: (cause?: unknown) =>
    new HeddleError(
      'STORE_FULL',
      503,
      "The store's disk is full, so nothing was saved; send the request again when an operator has made room.",
      { ...retryAfter(30), cause },
    ),
  /** The store's disk fails to read or write. Nothing was acknowledged. */
  diskFailed: (cause?: unknown) =>
    new HeddleError(
      'STORE_DISK_FAILED',
      503,
      "The store's disk failed, so nothing was saved; send the request again when an operator has repaired it.",
      { ...retryAfter(30), cause },
    ),
  /** The store answers and rejects this request's data. */
  storeRefused: (cause?: unknown) =>
    new HeddleError(
      'STORE_REFUSED',
      500,
      'The store rejected this request and will reject it again; the log has the reason under this request id.',
      { cause },
    ),
  /** A file of the store is corrupt. */
  partUnreadable: (part: string, cause?: unknown) =>
    new HeddleError(
      'PART_UNREADABLE',
      500,
      `The store can't read its part ${part}, which may contain rows of this request; see docs/operate/running.md.`,
      { cause },
    ),
  /** Only logged: the answer had begun, so it ends with a cut connection. */
  readerStalled: define(
    'READER_STALLED',
    408,
    () => 'The client read nothing while others waited for the store; read faster, or ask for fewer rows.',
  ),
  /** The sender of an incomplete message has stalled. */
  senderStalled: define('SENDER_STALLED', 408, () => 'The message did not arrive in time; send it again.'),
  /** The service has reached its limit of unfinished work. */
  overloaded: (seconds = 1) =>
    new HeddleError(
      'OVERLOADED',
      503,
      'The service is overloaded; send the request again later.',
      retryAfter(seconds),
    ),
  /** This caller uses its full share of the service; others are served. */
  shareUsed: (seconds = 1) =>
    new HeddleError(
      'SHARE_USED',
      429,
      'This project uses its full share of the service; send the request again later.',
      retryAfter(seconds),
    ),
  /** The key, or all keys of its entity, have reached their limit of concurrent requests. */
  requestsUsed: (whose: 'key' | 'account', most: number, what: 'reads' | 'writes') =>
    new HeddleError(
      'REQUESTS_USED',
      429,
      `${whose === 'key' ? 'This key has' : 'The keys of this entity have'} ${most} ${what} in progress, the maximum at once; send the request again when one has finished.`,
      retryAfter(1),
    ),
  /** The page of a link, or who looks at it, has reached its limit. */
  tooManyVisits: () =>
    new HeddleError(
      'TOO_MANY_VISITS',
      429,
      'This page is asked for too often; send the request again later.',
      retryAfter(2),
    ),
  /** The service is shutting down and accepts no new work. */
  stopping: () =>
    new HeddleError('STOPPING', 503, 'This process is stopping; send the request again.', retryAfter(1)),
}
