/** The tags and aliases of a version. Of many the first, as a version is known by more than its labels. */
import { LATEST, type Obj } from '../../api/objects'
import { some } from '../../ui/format'

const MOST = 8

interface Props {
  object: Pick<Obj, 'aliases' | 'tags'>
  /** `latest`, too */
  withLatest?: boolean
}

export function LabelChips({ object: { aliases, tags }, withLatest = false }: Props) {
  const all = [...(aliases ?? []), ...(tags ?? [])]
  const latest = withLatest && all.includes(LATEST) ? [LATEST] : []
  return some([...latest, ...all.filter((label) => label !== LATEST)], MOST).map((label) => (
    <span key={label} className="chip accent" title={label}>
      {label}
    </span>
  ))
}
