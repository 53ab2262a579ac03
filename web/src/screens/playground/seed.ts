/** What the playground begins with: a call, a prompt, models that the address names. */
import { queryOptions } from '@tanstack/react-query'
import { refsIn } from '../../../../domain/refs/in-values'
import { post } from '../../api/client'
import { readRefs, withValues } from '../../api/refs'
import { type Draft, draftOf, promptMessages } from './draft'
import type { PlaygroundSearch } from './search'

export const seedQuery = (project: string, { call: id, prompt, model, beside }: PlaygroundSearch) =>
  queryOptions({
    queryKey: ['playground', project, id, prompt, model, beside],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Partial<Draft>> => {
      const models = model === undefined ? {} : { models: [model, ...(beside === undefined ? [] : [beside])] }
      if (id !== undefined) {
        const { call } = await post('/call/read', { project_id: project, id }, signal)
        if (call === null) throw new Error('There is no call with this id.')
        // What is sent to a model are texts, not where they came from.
        const refs = await readRefs(refsIn([call.inputs, call.output]), signal)
        return { ...draftOf(withValues(call, refs)), prompt: call.prompt_name ?? undefined, ...models }
      }
      if (prompt === undefined) return models
      const at = prompt.lastIndexOf(':')
      const [object_id, digest] = at < 0 ? [prompt, 'latest'] : [prompt.slice(0, at), prompt.slice(at + 1)]
      const { obj } = await post('/obj/read', { project_id: project, object_id, digest }, signal)
      const messages = promptMessages(obj.val)
      if (messages === undefined) throw new Error(`${prompt} is not a prompt.`)
      return { messages, prompt: object_id, ...models }
    },
  })
