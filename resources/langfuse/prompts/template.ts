/**
 * Templates in both spellings of a variable: Langfuse's `{{name}}`, where braces alone are text, and Python's `{name}`, as
 * the weave SDKs fill in, where braces of the text are doubled. Pure.
 */

const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*'
/** A variable, or a brace. */
const LANGFUSE = new RegExp(`\\{\\{\\s*(${NAME})\\s*\\}\\}|[{}]`, 'gu')
/** A doubled brace, a variable, or a brace alone. */
const FORMAT = new RegExp(`\\{\\{|\\}\\}|\\{(${NAME})\\}|[{}]`, 'gu')

/** Langfuse's template in Python's spelling. */
export function toFormat(template: string): string {
  return template.replace(LANGFUSE, (found, name?: string) =>
    name === undefined ? found + found : `{${name}}`,
  )
}

/** A template of Python's spelling in Langfuse's; one that isn't a template there stays as it is. */
export function fromFormat(template: string): string {
  let isFormat = true
  const converted = template.replace(FORMAT, (found, name?: string) => {
    if (name !== undefined) return `{{${name}}}`
    if (found.length === 1) isFormat = false
    return found[0]!
  })
  return isFormat ? converted : template
}
