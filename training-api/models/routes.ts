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
    serve(listModels, ({ headers }) => {
      const data = modelList(board.up())
      return isOfMessages(headers) ? messagesModelList(data) : { object: 'list', data }
    }),
    serve(getServedModel, async ({ params, principal, headers }) => {
      const { base, name, model } = await chat.target(params.model, principal)
      const nodes = board.serving(base)
      if (nodes.length === 0) throw problems.noNode(base)
      const own = model && { id: name, created: Math.floor(model.created_at / 1e6), owned_by: model.entity }
      const served = { ...servedModel(base, nodes), ...own }
      return isOfMessages(headers) ? messagesModel(served) : served
    }),
  ]
}

/** The base models that these nodes serve, each once: those that chat, then the others, each the one up longest first. */
function modelList(nodes: readonly Announcement[]) {
  const models = [...groupBy(nodes, ({ model }) => model)].map(([id, serving]) => servedModel(id, serving))
  return models.toSorted((a, b) => Number(b.capabilities.chat) - Number(a.capabilities.chat))
}

/** Whether the caller is a client of the Messages interface. */
function isOfMessages(headers: ReadonlyMap<string, string>): boolean {
  return headers.has('anthropic-version')
}

function messagesModelList(models: readonly ReturnType<typeof servedModel>[]) {
  const data = models.filter(({ capabilities }) => capabilities.chat).map(messagesModel)
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}

function messagesModel({ id, created, max_model_len: context }: ReturnType<typeof servedModel>) {
  const made = new Date(created * 1000).toISOString()
  const about = { type: 'model' as const, id, display_name: id, created_at: made }
  return { ...about, max_input_tokens: context, max_tokens: context }
}

/** @param serving the nodes that serve it */
function servedModel(id: string, serving: readonly Announcement[]) {
  const dimensions = serving[0]?.embeddingDimensions
  return {
    id,
    object: 'model' as const,
    created: Math.floor(Math.min(...serving.map(({ since }) => since)) / 1000),
    owned_by: 'heddle',
    // A request may go to any of the model's nodes.
    max_model_len: Math.min(...serving.map(({ contextLength }) => contextLength)) || null,
    capabilities: {
      chat: serving.every(({ embeds }) => !embeds),
      embeddings: serving.some(({ embeds }) => embeds),
      images: serving.every(({ images }) => images),
    },
    ...(dimensions !== undefined && { embedding_dimensions: dimensions }),
  }
}
