/** What a tool is: a name and schemas that a model reads, and a handler that calls routes. */
import { z } from 'zod'
import { projectId, shortText } from '../contract/shared.js'
import type { Api } from '../platform/http/api.js'

/** What a tool does to what is stored. */
export type Effect = 'reads' | 'adds' | 'starts'

export interface Tool {
  name: string
  title: string
  description: string
  effect: Effect
  input: z.ZodObject
  output: z.ZodObject
  run: (input: never, api: Api) => Promise<object>
}

/** Declares a tool, typed by its schemas. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(
  declared: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I
    output: O
    run: (input: z.output<I>, api: Api) => Promise<z.input<O>>
  },
): Tool {
  return declared
}

export const project = projectId.meta({
  description: 'entity/project; find_projects lists them',
  examples: [],
})
export const callIds = z.array(shortText.min(1)).min(1).max(100).describe('ids of calls, from search_calls')
export const name = shortText.min(1)

/** The ref of what is in a project. */
export function refOf(projectName: string, kind: 'call' | 'object' | 'op' | 'table', rest: string): string {
  return `weave:///${projectName}/${kind}/${rest}`
}
