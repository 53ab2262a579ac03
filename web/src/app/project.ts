/** The project that the address names. */
import { useParams } from '@tanstack/react-router'

export interface Project {
  entity: string
  name: string
  /** as the service calls it: entity/project */
  id: string
}

/** Of screens below /{entity}/{project}. */
export function useProject(): Project {
  const { entity = '', project: name = '' } = useParams({ strict: false })
  return { entity, name, id: `${entity}/${name}` }
}
