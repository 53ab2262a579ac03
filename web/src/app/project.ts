/** What the address names: the project, and the thing that the screen shows. */
import { useParams } from '@tanstack/react-router'
import { read } from './address'

export interface Project {
  entity: string
  name: string
  /** as the service calls it: entity/project */
  id: string
}

/** Of screens below /{entity}/{project}. */
export function useProject(): Project {
  const params = useParams({ strict: false })
  const [entity, name] = [read(params.entity ?? ''), read(params.project ?? '')]
  return { entity, name, id: `${entity}/${name}` }
}

/** Of screens of one thing; '' on others. */
export function useShownId(): string {
  const { id = '' } = useParams({ strict: false })
  return read(id)
}
