/** What a call failed of, as clients write it: the JSON of the weave SDK, or a stack trace as text. Pure. */

export interface Frame {
  file: string
  line: number | undefined
  name: string
  text: string
  /** it is of an installed package, not of who wrote the program */
  isForeign: boolean
}

export interface Failure {
  /** in one line: the kind of error and its message */
  title: string
  /** the innermost first; empty: they are not known */
  frames: Frame[]
  /** as it was sent, if `title` and `frames` don't say all of it */
  text: string | undefined
}

/** Where packages are installed. */
const FOREIGN = /[\\/](?:site-packages|dist-packages|node_modules|lib[\\/]python[\d.]+)[\\/]|^<|^node:/

export function failureIn(exception: string): Failure {
  const told = fieldsIn(exception)
  if (told === undefined || typeof told.message !== 'string')
    return { title: lastLine(exception), frames: [], text: exception }
  const title = [told.type, told.message].filter((one) => typeof one === 'string' && one !== '').join(': ')
  const frames = Array.isArray(told.traceback) ? told.traceback.map(frameOf).reverse() : []
  return { title, frames, text: undefined }
}

function fieldsIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function frameOf(given: unknown): Frame {
  const { filename, line_number: line, function_name: name, text } = (given ?? {}) as Record<string, unknown>
  const file = typeof filename === 'string' ? filename : ''
  return {
    file,
    line: typeof line === 'number' ? line : undefined,
    name: typeof name === 'string' ? name : '',
    text: typeof text === 'string' ? text : '',
    isForeign: FOREIGN.test(file),
  }
}

/** Of a stack trace, the line that says what happened. */
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? text
