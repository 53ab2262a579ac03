/** A version of an object or an op: where the links of SDKs lead. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { post } from '../../api/client'
import { useProject } from '../../app/project'
import { Copy } from '../../ui/copy'
import { JsonTree } from '../../ui/json-tree'
import { Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'

const objectQuery = (project: string, id: string, digest: string) =>
  queryOptions({
    queryKey: ['objects', project, id, digest],
    queryFn: async ({ signal }) =>
      (await post('/obj/read', { project_id: project, object_id: id, digest }, signal)).obj,
  })

export function ObjectVersion() {
  const { id: project } = useProject()
  const { objectId = '', digest = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(objectQuery(project, objectId, digest))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="page">
      <div className="page-head">
        <h1>{data.object_id}</h1>
        <span className="chip">version {data.version_index}</span>
        <span className="chip">{data.kind}</span>
        <span className="muted">
          <Time at={data.created_at} />
        </span>
        <Copy
          text={`weave:///${project}/${data.kind}/${data.object_id}:${data.digest}`}
          label="Copy the ref"
        />
      </div>
      <div className="page-body">
        <JsonTree value={data.val} />
      </div>
    </div>
  )
}
