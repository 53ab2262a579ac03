/** The addresses of objects, as SDKs print them. Pure. */
import type { Obj } from '../../api/objects'

type Named = Pick<Obj, 'project_id' | 'kind' | 'object_id' | 'digest'>

/** @param of the version */
export const pathOf = ({ project_id, kind, object_id, digest }: Named): string =>
  `/${project_id}/weave/${kind === 'op' ? 'ops' : 'objects'}/${encodeURIComponent(object_id)}/versions/${digest}`
