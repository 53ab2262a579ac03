/** `GET /v1/models`, bound. */
import { listModels } from '../../contract/training-service.js'
import type { Announcement } from '../../domain/chat/node-announcement.js'
import type { NodeBoard } from '../../domain/chat/node-board.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { type Bound, serve } from '../../platform/http/request.js'

export function modelListRoutes(board: NodeBoard): Bound[] {
  return [serve(listModels, () => modelList(board.up()))]
}

/** The base models that these nodes serve, each once, the one up longest first. */
function modelList(nodes: readonly Announcement[]) {
  const data = [...groupBy(nodes, ({ model }) => model)].map(([id, serving]) => ({
    id,
    object: 'model' as const,
    created: Math.floor(Math.min(...serving.map(({ since }) => since)) / 1000),
    owned_by: 'heddle',
    // A request may go to any of the model's nodes.
    max_model_len: Math.min(...serving.map(({ contextLength }) => contextLength)) || null,
  }))
  return { object: 'list' as const, data }
}
