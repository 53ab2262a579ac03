import * as contract from '../../contract/evaluation-objects.js'
import { linesType } from '../../platform/http/accept.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { Creator } from './create.js'
import { DATASET, EVALUATION, type Kind, MODEL, OP, SCORER } from './kinds.js'
import type { BodyRequest } from './parts.js'
import type { Repository } from './repository.js'

export function evaluationObjectRoutes(repository: Repository, creator: Creator): Bound[] {
  const resource = (
    declared: unknown,
    kind: Kind,
    create: (request: BodyRequest) => Promise<object>,
  ): Bound[] => {
    // The four operations differ between kinds only in the schemas of their bodies and answers.
    const specs = declared as typeof contract.datasets
    return [
      serve(specs.create, ({ params, principal, bytes }) =>
        create({ project: `${params.entity}/${params.project}`, principal, bytes }),
      ),
      serve(specs.list, ({ params, query, headers, signal }) => {
        const lines = repository.list(kind, `${params.entity}/${params.project}`, query, signal)
        return new Reply(200, linesType(headers.get('accept')), lines)
      }),
      serve(specs.read, async ({ params, signal }) => {
        const { entity, project, object_id, digest } = params as Record<string, string>
        const text = await repository.read(kind, `${entity}/${project}`, object_id!, digest!, signal)
        return new Reply(200, 'application/json', text)
      }),
      serve(specs.remove, async ({ params, query }) => ({
        num_deleted: await repository.remove(
          kind,
          `${params.entity}/${params.project}`,
          params.object_id,
          query.digests ?? [],
        ),
      })),
    ]
  }
  return [
    ...resource(contract.ops, OP, (request) => creator.op(request)),
    ...resource(contract.datasets, DATASET, (request) => creator.dataset(request)),
    ...resource(contract.scorers, SCORER, (request) => creator.scorer(request)),
    ...resource(contract.models, MODEL, (request) => creator.model(request)),
    ...resource(contract.evaluations, EVALUATION, (request) => creator.evaluation(request)),
  ]
}
