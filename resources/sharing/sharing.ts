/** Links to one thing of a project for people without a key, put together. */
import type { Bound } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { PageReads } from './page-reads.js'
import { publicShareRoutes } from './public-routes.js'
import { shareRoutes } from './routes.js'
import { Shares } from './shares.js'

export interface SharingOptions {
  /** days that a link may be good for; 0: there are none */
  daysMost: number
  /** of this service, as people reach it; undefined: as the request did */
  url: string | undefined
}

export interface Sharing {
  /** The routes of links, which show what these routes of the pages answer. */
  routesOver(pages: readonly Bound[]): Bound[]
  start(): void
  stop(): Promise<void>
}

export function sharing({ daysMost, url }: SharingOptions, parts: Parts): Sharing {
  const shares = new Shares(parts.store, daysMost)
  return {
    routesOver: (pages) => {
      const reads = new PageReads(pages)
      return [...shareRoutes({ shares, reads, url }), ...publicShareRoutes({ parts, shares, reads })]
    },
    start: () => shares.start(),
    stop: () => shares.stop(),
  }
}
