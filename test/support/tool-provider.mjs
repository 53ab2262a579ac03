/**
 * A stand-in for the providers of models, a process of its own. Asked with tools it calls `get_weather` for Paris, or
 * reads a file of that name; given the tool's result, or without tools, it answers `It is sunny in Paris.`. `fail` is
 * refused. Prints its address.
 */
import { createServer } from 'node:http'
import { anthropicMessages } from './tool-provider/anthropic-messages.mjs'
import { bedrock } from './tool-provider/bedrock.mjs'
import { gemini } from './tool-provider/gemini.mjs'
import { openaiChat } from './tool-provider/openai-chat.mjs'
import { openaiResponses } from './tool-provider/openai-responses.mjs'

const INTERFACES = [
  [/\/chat\/completions$/, openaiChat],
  [/\/responses$/, openaiResponses],
  [/\/messages$/, anthropicMessages],
  [/:(generate|streamGenerate)Content$/, gemini],
  [/\/converse$/, bedrock],
]

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const path = request.url.split('?')[0]
  const answer = INTERFACES.find(([pattern]) => pattern.test(path))?.[1]
  if (answer === undefined) return response.writeHead(404).end()
  return answer(response, JSON.parse(Buffer.concat(chunks).toString()), path)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
