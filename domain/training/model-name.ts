/** Parses callers' model names. Pure; does not check existence. */

export type ModelName =
  | { kind: 'base'; name: string }
  | { kind: 'id'; id: string; step: number | undefined }
  | { kind: 'artifact'; entity: string; project: string; name: string; step: number | undefined }

const ARTIFACT = /^(?:wandb-)?artifact:\/\/\/([^/\s]+)\/([^/\s]+)\/([^/:\s]+)(?::(\S+))?$/
const ID = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?::(\S+))?$/i

/**
 * `artifact:///entity/project/name[:stepN]` (also in the published client's form), a model's id, or the name of a base
 * model. Without a step, or with `:latest`, the newest. Undefined for an invalid version.
 */
export function parseModelName(text: string): ModelName | undefined {
  const artifact = ARTIFACT.exec(text)
  if (artifact) {
    const step = stepOf(artifact[4])
    if (step === null) return undefined
    return { kind: 'artifact', entity: artifact[1]!, project: artifact[2]!, name: artifact[3]!, step }
  }
  const id = ID.exec(text)
  if (id) {
    const step = stepOf(id[2])
    return step === null ? undefined : { kind: 'id', id: id[1]!.toLowerCase(), step }
  }
  return { kind: 'base', name: text }
}

/** The step of a version; null if the version is invalid. */
function stepOf(version: string | undefined): number | undefined | null {
  if (version === undefined || version === 'latest') return undefined
  const digits = /^step(\d{1,9})$/.exec(version)
  return digits ? Number(digits[1]) : null
}
