/**
 * Parses the name of a provider's model: `custom::<provider>::<model>`, `<provider>/<model>`, or the id of an object
 * that describes a model. Pure; does not check existence.
 */

/** A provider's object id and its own model name, or the object id of a model. */
export type ModelName = { provider: string; model: string } | { object: string }

const CUSTOM = 'custom::'

/** Parses `name`; undefined if it is not a valid name. */
export function readModelName(name: string): ModelName | undefined {
  const [before, separator] = name.startsWith(CUSTOM) ? [CUSTOM.length, '::'] : [0, '/']
  const at = name.indexOf(separator, before)
  if (at < 0) return before === 0 && isObjectId(name) ? { object: name } : undefined
  const [provider, model] = [name.slice(before, at), name.slice(at + separator.length)]
  const isProvider = before > 0 ? isObjectId(runtimeObjectId(provider)) : isObjectId(provider)
  return isProvider && model !== '' ? { provider, model } : undefined
}

/** The name of a runtime's model in completions. */
export function playgroundId(runtime: string, model: string): string {
  return `${CUSTOM}${runtime}::${model}`
}

/** The id of the object of a runtime or of a model of one, whose names allow more characters. */
export function runtimeObjectId(name: string): string {
  return name.replace(/[^\w-]/g, '_')
}

/** The id of the object in which clients describe a provider's model; undefined if it would be invalid. */
export function modelObjectId(provider: string, model: string): string | undefined {
  const id = `${provider}-${model}`
  return isObjectId(id) ? id : undefined
}

function isObjectId(text: string): boolean {
  return /^[\w.-]{1,128}$/.test(text)
}
