import * as declared from '../../../contract/langfuse-prompts.js'
import type { Bound } from '../../../platform/http/request.js'
import { Publisher } from '../../evaluation/publish.js'
import type { Parts } from '../../parts.js'
import { authorOf, serveLangfuse } from '../serve.js'
import { Prompts } from './prompts.js'

export function promptRoutes(parts: Parts): Bound[] {
  const prompts = new Prompts(parts, new Publisher(parts))
  return [
    serveLangfuse(declared.langfusePromptCreate, (request) =>
      prompts.create(authorOf(request), request.body),
    ),
    serveLangfuse(declared.langfusePrompts, ({ project, query }) => prompts.list(project, query)),
    serveLangfuse(declared.langfusePrompt, ({ project, params, query }) =>
      prompts.read(project, params.prompt_name, query, query.resolve),
    ),
    serveLangfuse(declared.langfusePromptLabel, (request) => {
      const { params, body } = request
      return prompts.label(authorOf(request), params.prompt_name, params.version, body.newLabels)
    }),
    serveLangfuse(declared.langfusePromptDelete, async ({ project, params, query }) => {
      await prompts.remove(project, params.prompt_name, query)
      return { message: 'The prompt is deleted.' }
    }),
  ]
}
