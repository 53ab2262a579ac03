/** What the server's refusals are in the words of commands: it speaks of routes and of fields of requests. Pure. */

/** Commands and options by the route that does the same. */
const ROUTES: readonly (readonly [route: string, command: string])[] = [
  ['GET /v1/models', '`heddle doctor`'],
  ['GET /v1/preview/training-jobs', '`heddle jobs list`'],
  ['POST /v1/preview/training-data/preview', '`heddle train --preview`'],
  ['POST /v1/preview/models', '`heddle train --model`'],
]

/**
 * Options by the field that holds their value, and the route if the field means something else elsewhere. A condition is the
 * first of those that a command joins.
 */
const FIELDS: readonly (readonly [path: string, option: string, route?: string])[] = [
  ['query.$expr.$and.0', '--filter'],
  ['limit', '--limit'],
  ['seconds', '--days'],
  ['status', '--status'],
  ['name', '--model', '/v1/preview/models'],
  ['base_model', '--base'],
  ['config.batch_size', '--batch-size'],
  ['config.epochs', '--epochs'],
  ['config.learning_rate', '--learning-rate'],
  ['training_data.dataset', '--dataset'],
  ['training_data.calls.project_id', '--calls'],
  ['training_data.calls.query.$expr.$and.0', '--query'],
  ['training_data.calls.limit', '--limit'],
  ['training_data.template.system', '--system'],
  ['training_data.template.prompt', '--prompt'],
  ['training_data.template.completion', '--completion'],
  ['max_completion_tokens', '--max-tokens'],
  ['temperature', '--temperature'],
]

/** A sentence of the server, with commands for routes. */
export function inCommands(reason: string): string {
  return ROUTES.reduce((text, [route, command]) => text.replaceAll(route, command), reason).replaceAll(
    'send the request again',
    'try again',
  )
}

/** Where in a request to a route something is wrong: the option that it came from, and the place within its value. */
export function inOptions(path: readonly (string | number)[], route: string): string[] {
  const parts = path.map(String)
  const found = FIELDS.find(
    ([field, , only = route]) => only === route && `${parts.join('.')}.`.startsWith(`${field}.`),
  )
  return found ? [found[1], ...parts.slice(found[0].split('.').length)] : parts
}
