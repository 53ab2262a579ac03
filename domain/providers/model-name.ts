/**
 * How a request names a model of a provider: `custom::<provider>::<model>`, `<provider>/<model>`, or the id of an
 * object that describes a model. Pure; does not look whether it exists.
 */

/** A provider's object id with the provider's own name of a model, or the object id of a model. */
export type ModelName = { provider: string; model: string } | { object: string }

const CUSTOM = 'custom::'

/** Reads `name`, or undefined if it can name nothing. */
export function readModelName(name: string): ModelName | undefined {
  const [before, separator] = name.startsWith(CUSTOM) ? [CUSTOM.length, '::'] : [0, '/']
  const at = name.indexOf(separator, before)
  if (at < 0) return before === 0 && isObjectId(name) ? { object: name } : undefined
  const [provider, model] = [name.slice(before, at), name.slice(at + separator.length)]
  return isObjectId(provider) && model !== '' ? { provider, model } : undefined
}

/** The object id under which clients describe a provider's model, or undefined if no object can be called so. */
export function modelObjectId(provider: string, model: string): string | undefined {
  const id = `${provider}-${model}`
  return isObjectId(id) ? id : undefined
}

function isObjectId(text: string): boolean {
  return /^[\w.-]{1,128}$/.test(text)
}
