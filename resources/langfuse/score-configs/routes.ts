import { randomBytes } from 'node:crypto'
import * as declared from '../../../contract/langfuse-score-configs.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { checkedRules, type ScoreRules, specText } from '../../../domain/feedback/score-config.js'
import { allConfigs, configsById, type ScoreConfig } from '../../../domain/feedback/score-configs.js'
import { safeName } from '../../../domain/refs/op-name.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { type Author, Publisher } from '../../evaluation/publish.js'
import type { Parts } from '../../parts.js'
import { authorOf, serveLangfuse } from '../serve.js'

export function scoreConfigRoutes(parts: Parts): Bound[] {
  const { store } = parts
  const publisher = new Publisher(parts)

  /** @throws 404 */
  const read = async (project: string, id: string): Promise<ScoreConfig> => {
    const found = (await configsById(store, project, [id])).get(id)
    if (found === undefined) throw errors.notFound(`Score config ${id.slice(0, 200)}`)
    return found
  }
  /** @throws 400 */
  const publish = async (author: Author, id: string, given: ScoreRules) => {
    const rules = checkedRules(given)
    if (typeof rules === 'string') throw errors.badRequest(rules)
    await publisher.object(author, id, specText(rules, new Date().toISOString()))
    return answer(author.project, await read(author.project, id))
  }

  return [
    serveLangfuse(declared.langfuseScoreConfigCreate, (request) => {
      const {
        name,
        dataType,
        minValue = null,
        maxValue = null,
        categories = null,
        description = null,
      } = request.body
      // Names may repeat, ids may not.
      const id = `${safeName(name) || 'score'}-${randomBytes(4).toString('hex')}`
      const rules = { name, dataType, isArchived: false, minValue, maxValue, categories, description }
      return publish(authorOf(request), id, rules)
    }),
    serveLangfuse(declared.langfuseScoreConfigs, async ({ project, query }) => {
      const all = await allConfigs(store, project)
      const shown = all.slice((query.page - 1) * query.limit, query.page * query.limit)
      return { data: shown.map((config) => answer(project, config)), meta: pageMeta(query, all.length) }
    }),
    serveLangfuse(declared.langfuseScoreConfig, async ({ project, params }) =>
      answer(project, await read(project, params.config_id)),
    ),
    serveLangfuse(declared.langfuseScoreConfigUpdate, async (request) => {
      const { id, created: _, updated: __, ...before } = await read(request.project, request.params.config_id)
      const { name, isArchived, minValue, maxValue, categories, description } = request.body
      return publish(authorOf(request), id, {
        ...before,
        name: name ?? before.name,
        isArchived: isArchived ?? before.isArchived,
        minValue: minValue === undefined ? before.minValue : minValue,
        maxValue: maxValue === undefined ? before.maxValue : maxValue,
        categories: categories ?? (before.dataType === 'BOOLEAN' ? null : before.categories),
        description: description === undefined ? before.description : description,
      })
    }),
  ]
}

function answer(project: string, { created, updated, ...config }: ScoreConfig) {
  return {
    ...config,
    projectId: project,
    createdAt: isoOfMicros(created),
    updatedAt: isoOfMicros(updated),
  }
}
