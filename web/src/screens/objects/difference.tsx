/** How a version differs from another one: members of its value, lines of its texts, rows of its table. */
import { useQuery } from '@tanstack/react-query'
import { jsonText } from '../../api/json'
import { fileQuery, type Obj, objectQuery, readRows, tableOf } from '../../api/objects'
import { Changed, Lines, SIGNS } from '../../ui/changes'
import { changesOf, rowChanges } from '../../ui/diff'
import { Failed, Loading } from '../../ui/states'
import { codeOf } from './kinds'

const MOST_ROWS = 5_000
const SHOWN_ROWS = 200

interface Props {
  object: Obj
  versions: readonly Obj[]
  /** the digest of the other one */
  against: string | undefined
  choose: (digest: string) => void
}

export function Difference({ object, versions, against, choose }: Props) {
  const { data: other, error, refetch } = useQuery(objectQuery(object.project_id, object.object_id, against))
  return (
    <div className="objects-diff">
      <label className="row">
        From
        <select className="select" value={against} onChange={(event) => choose(event.target.value)}>
          {versions
            .filter(({ digest }) => digest !== object.digest)
            .map(({ digest, version_index: index }) => (
              <option key={digest} value={digest}>
                v{index} {digest.slice(0, 8)}
              </option>
            ))}
        </select>
        to v{object.version_index}
      </label>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : other === undefined ? (
        <Loading />
      ) : (
        <Both before={other} after={object} />
      )}
    </div>
  )
}

function Both({ before, after }: { before: Obj; after: Obj }) {
  const [oldTable, newTable] = [tableOf(before.val), tableOf(after.val)]
  const [oldCode, newCode] = [codeOf(before.val), codeOf(after.val)]
  const haveTables = oldTable !== undefined && newTable !== undefined
  // The rows of tables are compared themselves.
  const changes = changesOf(before.val, after.val).filter(({ path }) => !(haveTables && path === 'rows'))
  return (
    <>
      {changes.length === 0 && oldTable === newTable && <p className="muted">The values are the same.</p>}
      {oldCode && newCode && oldCode !== newCode && (
        <Code project={after.project_id} before={oldCode} after={newCode} />
      )}
      {changes.map((change) => (
        <Changed key={change.path} change={change} />
      ))}
      {haveTables && oldTable !== newTable && (
        <RowsChanged project={after.project_id} before={oldTable} after={newTable} />
      )}
    </>
  )
}

function Code({ project, before, after }: { project: string; before: string; after: string }) {
  const [old, now] = [useQuery(fileQuery(project, before)), useQuery(fileQuery(project, after))]
  if (old.data === undefined || now.data === undefined) return <Loading what="Reading the code" />
  return (
    <div className="panel changes-part">
      <h3>Code</h3>
      <Lines before={old.data} after={now.data} />
    </div>
  )
}

function RowsChanged({ project, before, after }: { project: string; before: string; after: string }) {
  const { data, error } = useQuery({
    queryKey: ['table', project, after, 'since', before],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const read = (table: string) => readRows(project, table, 0, MOST_ROWS, signal)
      const [old, now] = await Promise.all([read(before), read(after)])
      return { ...rowChanges(old, now), isPart: Math.max(old.length, now.length) === MOST_ROWS }
    },
  })
  if (error) return <Failed error={error} />
  if (data === undefined) return <Loading what="Comparing the rows" />
  const { added, removed, isPart } = data
  const lines = [
    ...removed.map(({ val }) => ({ kind: 'removed' as const, val })),
    ...added.map(({ val }) => ({ kind: 'added' as const, val })),
  ]
  return (
    <div className="panel changes-part">
      <h3>
        {added.length} rows added, {removed.length} removed
        {isPart && ` among the first ${MOST_ROWS}`}
      </h3>
      <pre className="changes-lines">
        {lines.slice(0, SHOWN_ROWS).map(({ kind, val }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <span key={i} className={`changes-line ${kind}`}>
            {SIGNS[kind]} {jsonText(val)}
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > SHOWN_ROWS && <p className="muted">{lines.length - SHOWN_ROWS} more</p>}
    </div>
  )
}
