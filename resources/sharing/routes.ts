import * as contract from '../../contract/sharing.js'
import { errors } from '../../platform/errors/catalog.js'
import { originOf } from '../../platform/http/forwarded.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { isoOfMicros, isoOrNull, nowMicros } from '../../platform/time/iso.js'
import type { PageReads } from './page-reads.js'
import { endOf, type Share, stateOf } from './share.js'
import type { Shares } from './shares.js'
import { mustSee, Targets } from './targets.js'

interface SharingParts {
  shares: Shares
  reads: PageReads
  /** of this service, as people reach it; undefined: as the request did */
  url: string | undefined
}

export function shareRoutes({ shares, reads, url }: SharingParts): Bound[] {
  const targets = new Targets(reads)
  return [
    serve(contract.shareCreate, async ({ body, principal, headers, signal, note: audit }) => {
      const { project_id: project, kind, seconds, note } = body
      mustSee(principal, kind, project)
      const { userId, username: createdBy } = principal
      const given = { project, kind, target: body.target, note, createdBy, userId, seconds }
      const sought: Share = {
        ...{ ...given, hash: '', id: userId, createdAt: 0, expiresAt: 0, isRevoked: false },
      }
      const target = await targets.named(sought, kind, body.target, signal)
      if ((await targets.title({ ...sought, target }, signal)) === undefined)
        throw errors.notFound(`${NOUNS[kind]} ${body.target.slice(0, 200)}`)
      const { share, token } = await shares.create({ ...given, target })
      audit?.({ target: { share: share.id } })
      return {
        ...{ id: share.id, token, url: `${url ?? originOf(headers)}/share/${token}` },
        expires_at: isoOfMicros(share.expiresAt),
      }
    }),
    serve(contract.sharesQuery, async ({ body }) => {
      const { project_id: project, kind, target, limit } = body
      const now = nowMicros()
      const { daysMost } = shares
      const found = await shares.list(project, { kind, target }, limit)
      return {
        shares: found.map((share) => ({
          ...{ id: share.id, kind: share.kind, target: share.target, note: share.note },
          ...{ created_by: share.createdBy, created_at: isoOfMicros(share.createdAt) },
          expires_at: isoOfMicros(endOf(share, daysMost)),
          ...{ state: stateOf(share, daysMost, now), views: share.views },
          last_view_at: isoOrNull(share.lastView),
        })),
        days_most: daysMost,
      }
    }),
    serve(contract.shareRevoke, async ({ body }) => {
      await shares.revoke(body.project_id, body.share)
      return { id: body.share }
    }),
  ]
}

const NOUNS = { trace: 'Trace', evaluation_run: 'Evaluation run', dashboard: 'Dashboard' } as const
