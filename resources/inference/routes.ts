import { analyzerModels, hardware, routerModels } from '../../contract/inference.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { analysisList, hardwareList, type ModelNodes, routerList } from './nodes.js'

export function inferenceRoutes(nodes: ModelNodes): Bound[] {
  return [
    serve(routerModels, async () => routerList(await nodes())),
    serve(hardware, async () => hardwareList(await nodes())),
    serve(analyzerModels, async () => analysisList(await nodes())),
  ]
}
