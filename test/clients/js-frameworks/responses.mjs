import { createOpenAI } from '@ai-sdk/openai'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, tool as agentTool, run, setTracingDisabled } from '@openai/agents'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'

const parameters = z.object({ city: z.string() })
const prompt = 'How is the weather in Paris?'
const weather = async ({ city }) => `sunny in ${city}`

// Vercel's default provider asks by responses, and refers to its former items by their ids.
const tools = { get_weather: tool({ inputSchema: parameters, execute: weather }) }
const asked = { model: createOpenAI()('coder'), prompt, tools, stopWhen: isStepCount(3) }
const vercel = await generateText(asked)
const streamed = await streamText(asked).text

const langchain = await new ChatOpenAI({ model: 'coder', useResponsesApi: true }).invoke('Hello')

setTracingDisabled(true)
const get_weather = agentTool({ name: 'get_weather', description: '', parameters, execute: weather })
const agents = await run(new Agent({ name: 'forecaster', model: 'coder', tools: [get_weather] }), prompt)

console.log(
  JSON.stringify({ vercel: vercel.text, streamed, langchain: langchain.text, agents: agents.finalOutput }),
)
