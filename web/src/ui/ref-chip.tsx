/** A ref as a link to its object: where a value comes from. */
import { Link } from '@tanstack/react-router'
import { namedRef } from '../api/refs'
import { useVisit } from '../api/visit'
import { weavePath } from '../app/address'

export function RefChip({ to }: { to: string }) {
  const { project, name, digest, path } = namedRef(to)
  const text = path === '' ? name : `${name}: ${path}`
  if (useVisit()) return <span className="chip ref">{text}</span>
  return (
    <Link
      className="chip ref"
      to={weavePath(project, 'objects', name, 'versions', digest)}
      title={to.slice(0, 2_000)}
    >
      {text}
    </Link>
  )
}
