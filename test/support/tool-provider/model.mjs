/** What the stand-in's model does, whatever interface it is asked by. */

const ANSWER = 'It is sunny in Paris.'
const RESULT = 'sunny in Paris'

/** What each tool that it knows is called with: one of an app, or what agents read a file `Paris` with. */
const CALLS = {
  get_weather: { city: 'Paris' },
  Read: { file_path: 'Paris' },
  read_file: { file_path: 'Paris' },
  exec_command: { cmd: 'cat Paris' },
  shell_command: { command: 'cat Paris' },
}

export const REFUSED = { message: 'I will not', type: 'invalid_request_error' }

export const USAGE = { input: 20, output: 7, cached: 4 }

/** Whether a line of a user's text ends with `fail`. */
export const isRefused = (text) => /(^|[\s:])fail$/m.test(text ?? '')

/**
 * A tool's call, or an answer: by the tool `final_answer` where there is one.
 * @param names of the tools that it may call
 * @param said all that was said after the question: whether the result is there
 */
export function turnOf(names, said) {
  // Some put the names of apps before their tools'.
  const callOf = (name) => CALLS[name.replace(/^.*(\W|__)/, '')]
  const known = names.find(callOf)
  if (known && !JSON.stringify(said).includes(RESULT)) return { name: known, args: callOf(known) }
  return names.includes('final_answer')
    ? { name: 'final_answer', args: { answer: ANSWER } }
    : { text: ANSWER }
}

export const json = (response, status, value) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** Answers with a stream of server-sent events. @param named whether each has its type as its name, too */
export function stream(response, events, named = false) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events)
    response.write(`${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  return response
}
