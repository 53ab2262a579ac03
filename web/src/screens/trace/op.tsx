/** The version of the op that made a call, with its code. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OpVersion } from '../../api/calls'
import { objectQuery } from '../../api/objects'
import { objectPath } from '../../app/address'
import { Failed, Loading } from '../../ui/states'
import { Code } from '../objects/code'

export function Op({ project, name, digest }: OpVersion) {
  const { data: object, error, refetch } = useQuery(objectQuery(project, name, digest))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (object === undefined) return <Loading />
  return (
    <div className="detail-part">
      <h3>
        <Link to={objectPath(object)}>
          {name} v{object.version_index}
        </Link>
      </h3>
      <Code object={object} />
    </div>
  )
}
