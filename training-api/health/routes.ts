/** `GET /v1/health` and `GET /v1/system-check`, bound. */
import { healthCheck, systemCheck } from '../../contract/training-service.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { type Parts, report } from './system-check.js'

export function healthRoutes(parts: Parts): Bound[] {
  return [serve(healthCheck, () => ({ status: 'ok' })), serve(systemCheck, () => report(parts))]
}
