/** Masks the texts of calls in the body of a request. Knows which fields hold texts; what is looked for, it does not. */
import { clientName } from '../../contract/aliases.js'
import { CALL_COLUMNS } from '../../domain/calls/schema.js'
import { COLUMNS } from '../../domain/masking/columns.js'
import { type Counts, counter } from '../../domain/masking/counts.js'
import type { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { isProjectName } from '../../platform/ids/project.js'

/** The fields that hold texts, by the names that clients use. */
const TEXTS = new Set(
  CALL_COLUMNS.filter(({ name, input }) => input !== undefined && COLUMNS.calls.texts.includes(name)).flatMap(
    ({ inputName }) => [inputName, clientName(inputName)],
  ),
)

const PROJECT = /"project_id"\s*:\s*("(?:[^"\\]|\\.)*")/g

/**
 * The body with what the rules of its projects mask; the same one if that is nothing, or if it is no JSON, which is
 * refused later on.
 * @param project entity/project of the path or the header
 */
export function maskCalls(
  body: Uint8Array,
  project: string | undefined,
  rules: RulesByScope,
  counts: Counts,
): Uint8Array {
  if (rules.isEmpty) return body
  const text = bufferOf(body).toString('utf8')
  const projects = projectsIn(text, project)
  const set = projects.size > 0 ? rules.ofAll(projects) : rules.ofAny()
  if (set.isEmpty) return body
  const [first = ''] = projects
  const masked = set.json(text, counter(counts, first, set), [], TEXTS)
  return masked === undefined || masked === text ? body : Buffer.from(masked)
}

/** The projects that a body names, and maybe others, of which its texts tell. */
function projectsIn(text: string, project: string | undefined): Set<string> {
  const projects = new Set(project === undefined ? [] : [project])
  for (const [, written = ''] of text.matchAll(PROJECT)) {
    const name = nameOf(written)
    if (name !== undefined && isProjectName(name)) projects.add(name)
  }
  return projects
}

function nameOf(written: string): string | undefined {
  try {
    return JSON.parse(written) as string
  } catch {
    return undefined
  }
}
