/** The tools of a draft: a JSON list of what a model may call. Pure. */

import { jsonText, parseJson } from '../../api/json'
import { jsonProblem } from '../../ui/json-problem'
import { isFields } from '../../ui/parsed'

/** What providers allow. */
const NAME = /^[\w-]{1,64}$/

/** What is wrong with the text of the tools; undefined: nothing, or it is empty. */
export function toolsProblem(text: string): string | undefined {
  const problem = jsonProblem(text, 'list')
  if (problem !== undefined || text.trim() === '') return problem
  const tools = parseJson(text) as unknown[]
  const seen = new Set<string>()
  for (const [i, tool] of tools.entries()) {
    const which = `Tool ${i + 1}`
    if (!isFields(tool) || typeof tool.type !== 'string') return `${which} needs a type, such as "function".`
    // Providers have tools of their own, which they describe otherwise.
    if (tool.type !== 'function') continue
    const { function: it } = tool
    if (!isFields(it)) return `${which} needs a function with its name.`
    if (typeof it.name !== 'string' || !NAME.test(it.name))
      return `${which}: its name may have letters, digits, "_" and "-", 64 at most.`
    if (seen.has(it.name)) return `There are two tools with the name ${it.name}.`
    seen.add(it.name)
    const { parameters } = it
    if (parameters === undefined) continue
    if (!isFields(parameters) || parameters.type !== 'object')
      return `${it.name}: its parameters must be a JSON schema with "type": "object".`
    const { properties = {}, required = [] } = parameters
    if (!isFields(properties)) return `${it.name}: its properties must be an object.`
    if (!Array.isArray(required)) return `${it.name}: what is required must be a list.`
    const missing = required.find((one) => !Object.hasOwn(properties, String(one)))
    if (missing !== undefined) return `${it.name}: ${missing} is required, but is no property.`
  }
  return undefined
}

/** The text with one more tool, to be filled in. Of a text without a problem. */
export function withTool(text: string): string {
  const tools = text.trim() === '' ? [] : (parseJson(text) as unknown[])
  const names = new Set(tools.map((one) => isFields(one) && isFields(one.function) && one.function.name))
  let number = tools.length + 1
  while (names.has(`tool_${number}`)) number++
  const parameters = {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for' } },
    required: ['query'],
  }
  const tool = { name: `tool_${number}`, description: 'What it does and when to call it', parameters }
  return jsonText([...tools, { type: 'function', function: tool }], 2)
}
