/** The tags and aliases of a version, but for `latest`. */
import { LATEST, type Obj } from '../../api/objects'

export function LabelChips({ object: { aliases, tags } }: { object: Pick<Obj, 'aliases' | 'tags'> }) {
  return [...(aliases ?? []), ...(tags ?? [])]
    .filter((label) => label !== LATEST)
    .map((label) => (
      <span key={label} className="chip accent">
        {label}
      </span>
    ))
}
