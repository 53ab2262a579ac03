/**
 * An OpenAI-compatible chat endpoint for tests, a process of its own: what it does is told by the message it is asked.
 * `say X` is answered by X, `slow MS say X` later, `flaky N KEY say X` after N failures, `busy N KEY say X` after having
 * been too busy N times; `call F` streams a call of the tool F; `hang`, `refuse` and `break` do so. `say` streams word by word to callers
 * that ask for a stream. The model `judge` answers with JSON on what it reads, or with rubbish where it reads `rubbish`; the
 * model `ranker` gives scores by a rubric: an answer with more words gets a higher one, and one that is asked about `nonsense` is
 * scored twice, the first time outside of the scale; the model `falling` gives a lower score each time; the
 * model `classifier` says of each statement that it is asked about that it holds if it is named `angry`; the model `filterer`
 * writes a filter of failed calls, the first time with a field that there is not.
 * Prints its address; `GET /seen` lists what it was asked.
 */
import { createServer } from 'node:http'

const seen = []
const failures = new Map()

const json = (response, status, value) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const stream = (response, model, content) => {
  const chunk = (delta, more = {}) => ({ id: 'chatcmpl-1', model, choices: [{ index: 0, delta, ...more }] })
  const words = content.split(/(?<= )/).map((word) => chunk({ content: word }))
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
  const chunks = [...words, chunk({}, { finish_reason: 'stop' }), { id: 'chatcmpl-1', choices: [], usage }]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const one of chunks) response.write(`data: ${JSON.stringify(one)}\n\n`)
  response.end('data: [DONE]\n\n')
}
const say = (response, model, content) =>
  json(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  })

/** Scores of a rubric from 0 to 10, the same on every criterion. */
function ranked(messages) {
  const group = JSON.parse(messages.find(({ content }) => content.startsWith('{"request"')).content)
  const [, example] = /(\{"scores":.*\})$/.exec(messages[0].content)
  const names = Object.keys(JSON.parse(example).scores[0].criteria)
  const again = messages.at(-1).content.includes("can't be used")
  const odd = JSON.stringify(group.request).includes('nonsense') && !again
  const scores = group.answers.map(({ number, answer }) => {
    const words = typeof answer === 'string' ? answer.split(' ').length : 0
    const score = odd ? 11 : Math.min(words, 10)
    const criteria = Object.fromEntries(names.map((name) => [name, score]))
    return { answer: number, reason: `it has ${words} words`, criteria }
  })
  const dull = JSON.stringify(group.request).includes('hopeless')
  return JSON.stringify({ scores: dull ? scores.slice(1) : scores })
}

function answer(text, { model, stream: isStream, messages }, response, authorization) {
  if (model === 'ranker') return say(response, model, ranked(messages))
  if (model === 'falling') {
    const before = seen.filter((one) => one.model === model).length - 1
    return say(response, model, JSON.stringify({ score: 1 - before / 10 }))
  }
  if (model === 'judge') {
    if (text.includes('rubbish')) return say(response, model, 'no idea')
    return say(response, model, JSON.stringify({ good: text.includes('Paris'), letters: text.length }))
  }
  if (model === 'classifier') {
    const names = [...text.matchAll(/<statement name="(\w+)">/g)].map(([, name]) => name)
    const of = (name) => ({
      is_match: name === 'angry',
      confidence: 0.5,
      reason: `Paris: ${text.includes('Paris')}`,
    })
    return say(response, model, JSON.stringify(Object.fromEntries(names.map((name) => [name, of(name)]))))
  }
  if (model === 'filterer') {
    const filter = text.includes("can't be used") ? 'status:error' : 'state:failed'
    return say(response, model, JSON.stringify({ filter, all: true }))
  }
  const [verb, ...words] = text.split(' ')
  if (verb === 'say') return (isStream ? stream : say)(response, model, words.join(' '))
  if (verb === 'slow')
    return setTimeout(
      () => answer(words.slice(1).join(' '), { model, stream: isStream }, response),
      Number(words[0]),
    )
  if (verb === 'flaky' || verb === 'busy') {
    const failed = failures.get(words[1]) ?? 0
    failures.set(words[1], failed + 1)
    if (failed < Number(words[0]))
      return json(response, verb === 'busy' ? 429 : 503, { error: { message: 'later' } })
    return answer(words.slice(2).join(' '), { model, stream: isStream }, response)
  }
  if (verb === 'call') {
    const calls = [
      { index: 0, id: 'call_a', type: 'function', function: { name: words[0], arguments: '{}' } },
    ]
    const choices = [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' }]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.end(`data: ${JSON.stringify({ id: 'chatcmpl-1', model, choices })}\n\ndata: [DONE]\n\n`)
  }
  if (verb === 'hang') return undefined
  if (verb === 'break') return response.end('<html>')
  return json(response, 400, { error: { message: `I will not: ${authorization}` } })
}

const server = createServer(async (request, response) => {
  if (request.url === '/seen') return json(response, 200, seen)
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  const text = body.messages.at(-1).content
  seen.push({ model: body.model, text, format: body.response_format?.type ?? null })
  answer(text, body, response, request.headers.authorization ?? '')
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
