/** Whether a text is JSON. Pure. */

/** What is wrong with a text that shall be JSON; undefined: nothing, or it is empty. */
export function jsonProblem(text: string, kind: 'list' | 'object'): string | undefined {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const isRight =
    kind === 'list'
      ? Array.isArray(value)
      : typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRight ? undefined : `This must be a JSON ${kind}.`
}
