/** What links are to: whether it is there, what it is called, and what is asked for it. */
import { callStats, callsStreamQuery } from '../../contract/calls-read.js'
import { evalResultsQuery } from '../../contract/evaluation-results.js'
import { feedbackQuery, feedbackStats } from '../../contract/feedback-read.js'
import { fileContent } from '../../contract/files.js'
import { objRead } from '../../contract/objects.js'
import { refsReadBatch } from '../../contract/refs.js'
import type { ShareKind } from '../../contract/sharing.js'
import { type Panel, readPanels } from '../../domain/dashboards/panels.js'
import { isRange, USUAL_RANGE } from '../../domain/dashboards/requests.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { firstCallOf, runOf } from './asked.js'
import type { PageReads } from './page-reads.js'
import { dashboardOf, type Share } from './share.js'
import { withoutCredentials } from './shown.js'

const DASHBOARD = 'Dashboard'

export interface Dashboard {
  name: string
  range: string
  panels: Panel[]
}

/** The routes that show what a link of a kind does: who may not use one of them may not share it either. */
const SHOWN_BY: Readonly<Record<ShareKind, readonly { tag: string }[]>> = {
  trace: [callsStreamQuery, feedbackQuery, fileContent, refsReadBatch],
  evaluation_run: [evalResultsQuery, callsStreamQuery],
  dashboard: [objRead, callStats, feedbackStats],
}

/** @throws `NO_RIGHT` (403) unless the caller may see all that a link of this kind would show */
export function mustSee(principal: Principal, kind: ShareKind, project: string): void {
  for (const { tag } of SHOWN_BY[kind]) principal.whole.within(tag).must('read', project)
}

export class Targets {
  constructor(private readonly reads: PageReads) {}

  /** What the thing is called; undefined: it is not there. */
  async title(share: Share, signal: AbortSignal): Promise<string | undefined> {
    switch (share.kind) {
      case 'trace':
        return (
          (await this.nameOf(share, firstCallOf(share, true), signal)) ??
          this.nameOf(share, firstCallOf(share, false), signal)
        )
      case 'evaluation_run':
        return this.nameOf(share, runOf(share), signal)
      case 'dashboard':
        return (await this.dashboard(share, signal))?.name
    }
  }

  /** The dashboard as it was when the link was made; undefined: it was deleted. */
  async dashboard(share: Share, signal: AbortSignal): Promise<Dashboard | undefined> {
    const { name: object_id, digest } = dashboardOf(share.target)
    const val = await this.object(share, object_id, digest, signal)
    if (val === undefined) return undefined
    const { name, range, panels } = val as { name?: unknown; range?: unknown; panels?: unknown }
    return {
      name: typeof name === 'string' && name !== '' ? name : object_id,
      range: isRange(range) ? range : USUAL_RANGE,
      panels: readPanels(panels) ?? [],
    }
  }

  /** What a new link is to, by what it is called in a request: of a dashboard its newest version. */
  async named(share: Share, kind: ShareKind, target: string, signal: AbortSignal): Promise<string> {
    if (kind !== 'dashboard') return target
    try {
      const body = { project_id: share.project, object_id: target, digest: 'latest' }
      const { obj } = await this.reads.value(share, objRead, { body }, signal)
      return obj.base_object_class === DASHBOARD ? `${target}:${obj.digest}` : `${target}:`
    } catch (error) {
      if (isMissing(error)) return `${target}:`
      throw error
    }
  }

  private async nameOf(
    share: Share,
    body: ReturnType<typeof firstCallOf> | ReturnType<typeof runOf>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const [call] = await this.reads.lines(share, callsStreamQuery, { body }, signal)
    if (call === undefined) return undefined
    const [, name] = /\/op\/([^:/]+):[^/]*$/.exec(call.op_name) ?? []
    const given = call.display_name || call.span_name
    return withoutCredentials(given || (name === undefined ? call.op_name : unescaped(name)))
  }

  private async object(
    { project, ...share }: Share,
    object_id: string,
    digest: string,
    signal: AbortSignal,
  ): Promise<object | undefined> {
    if (digest === '') return undefined
    try {
      const body = { project_id: project, object_id, digest }
      const { obj } = await this.reads.value({ project, ...share }, objRead, { body }, signal)
      if (obj.base_object_class !== DASHBOARD || typeof obj.val !== 'object') return undefined
      return obj.val ?? undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
}

const isMissing = (error: unknown) =>
  error instanceof HeddleError && [400, 404, 410, 422].includes(error.status)

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
