/** `GET /v1/models` and `GET /v1/models/{model}`, bound. */
import { getServedModel, listModels } from '../../contract/training-service.js'
import type { Chat } from '../../domain/chat/chat.js'
import type { Announcement } from '../../domain/chat/node-announcement.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { problems } from '../problem.js'

export function modelListRoutes(chat: Chat): Bound[] {
  const { board } = chat.dispatcher
  return [
    serve(listModels, () => modelList(board.up())),
    serve(getServedModel, async ({ params, principal }) => {
      const { base, name, model } = await chat.target(params.model, principal)
      const nodes = board.serving(base)
      if (nodes.length === 0) throw problems.noNode(base)
      const served = servedModel(base, nodes)
      if (!model) return served
      return { ...served, id: name, created: Math.floor(model.created_at / 1e6), owned_by: model.entity }
    }),
  ]
}

/** The base models that these nodes serve, each once, the one up longest first. */
function modelList(nodes: readonly Announcement[]) {
  const data = [...groupBy(nodes, ({ model }) => model)].map(([id, serving]) => servedModel(id, serving))
  return { object: 'list' as const, data }
}

/** @param serving the nodes that serve it */
function servedModel(id: string, serving: readonly Announcement[]) {
  return {
    id,
    object: 'model' as const,
    created: Math.floor(Math.min(...serving.map(({ since }) => since)) / 1000),
    owned_by: 'heddle',
    // A request may go to any of the model's nodes.
    max_model_len: Math.min(...serving.map(({ contextLength }) => contextLength)) || null,
  }
}
