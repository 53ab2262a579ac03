/** What a prompt's versions did where they were used. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Obj } from '../../api/objects'
import {
  USES_DAYS,
  type VersionScore,
  type VersionUse,
  versionsStatement,
  versionUsesQuery,
} from '../../api/prompts'
import { objectPath, weavePath } from '../../app/address'
import { count, duration, money, share } from '../../ui/format'
import { Empty } from '../../ui/states'
import { type Column, TableOf, timeColumn } from '../../ui/table'
import { LabelChips } from '../objects/label-chips'
import { callsSearch } from './prompts'
import { versionOf } from './version-of'

export function Metrics({ object, versions }: { object: Obj; versions: readonly Obj[] }) {
  const { project_id: project, object_id: name } = object
  const query = useQuery(versionUsesQuery(project, name))
  const { versions: uses, scores = [] } = query.data ?? {}
  return (
    <>
      <p className="row muted">
        The last {USES_DAYS} days, by the version that calls name.
        <Link to={weavePath(project, 'sql')} search={{ q: versionsStatement(quoted(name)) }}>
          Open in SQL
        </Link>
      </p>
      <TableOf
        query={query}
        label="By version"
        rows={uses}
        keyOf={({ version }) => version}
        columns={columnsOf(object, versions, scores)}
        empty={
          <Empty title={`No call named this prompt in the last ${USES_DAYS} days`}>
            <p>
              Langfuse's and OpenTelemetry's SDKs name it by themselves. With weave's, write{' '}
              <code>{`with weave.attributes({"prompt_name": "${name}", "prompt_version": "v${object.version_index}"}):`}</code>
            </p>
          </Empty>
        }
      />
    </>
  )
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function columnsOf(
  { project_id: project, object_id: name }: Obj,
  versions: readonly Obj[],
  scores: readonly VersionScore[],
): Column<VersionUse>[] {
  const number = (title: string, cell: Column<VersionUse>['cell'], more?: Partial<Column<VersionUse>>) => ({
    ...{ title, cell, isNumber: true },
    ...more,
  })
  return [
    {
      title: 'Version',
      cell: ({ version }) => {
        const known = versionOf(version, versions)
        if (known === undefined) return version || <span className="muted">none</span>
        return (
          <>
            <Link to={objectPath(known)} search={{ tab: 'metrics' }}>
              v{known.version_index}
            </Link>
            {version !== `v${known.version_index}` && <span className="muted"> {version}</span>}{' '}
            <LabelChips object={known} />
          </>
        )
      },
    },
    number('Calls', ({ version, calls }) => (
      <Link to={weavePath(project, 'traces')} search={callsSearch(name, version)}>
        {count(calls)}
      </Link>
    )),
    number('Errors', ({ errors, calls }) => share(errors / calls), { isBad: ({ errors }) => errors > 0 }),
    number('Latency p50', ({ p50 }) => p50 !== null && duration(p50), { isWide: true }),
    number('p95', ({ p95 }) => p95 !== null && duration(p95)),
    number('Tokens a call', ({ tokens, calls }) => tokens > 0 && count(Math.round(tokens / calls)), {
      isWide: true,
    }),
    number('Cost a call', ({ cost, calls }) => cost !== null && cost > 0 && money(cost / calls)),
    number('👍', ({ up }) => up > 0 && count(up), { isWide: true }),
    number('👎', ({ down }) => down > 0 && count(down), { isWide: true }),
    ...[...new Set(scores.map(({ score }) => score))].map((score) =>
      number(score.replace(/^wandb\.runnable\./, ''), ({ version }) => {
        const found = scores.find((one) => one.version === version && one.score === score)
        return found && <span title={`${count(found.times)} scores`}>{found.mean.toPrecision(3)}</span>
      }),
    ),
    timeColumn('Last used', ({ last_used: at }) => at, { isWide: true }),
  ]
}
