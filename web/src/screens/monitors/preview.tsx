/** What a monitor would have matched, and what it would say of the newest of these calls; nothing is stored. */
import { Link } from '@tanstack/react-router'
import { nameOf } from '../../api/calls'
import type { Preview as Found } from '../../api/monitors'
import { callPath } from '../../app/address'
import { counted } from '../../ui/format'
import { Time } from '../../ui/time'
import { saidOf } from './shown'

export function Preview({ project, of }: { project: string; of: Found }) {
  const { matched, calls, not_tried: left } = of
  return (
    <>
      <p className="muted" role="status">
        It would have matched {counted(matched, 'call')} of the last week.
        {left.length > 0 && ` What ${left.join(', ')} would say is not shown, since asking costs something.`}
      </p>
      {calls.length > 0 && (
        <ul className="monitors-preview" aria-label="The newest calls" tabIndex={0}>
          {calls.map(({ id, op_name, started_at, scores }) => (
            <li key={id}>
              <Link to={callPath(project, id)} className="cut">
                {nameOf({ op_name, display_name: null }) || id}
              </Link>
              <span className="muted">
                <Time at={started_at} relative />
              </span>
              {scores.map(({ scorer, result, problem }) => {
                const { text, isTrue, why } = saidOf(result)
                return (
                  <span key={scorer} className={isTrue ? 'chip bad' : 'chip'} title={problem ?? why}>
                    {scorer}: {problem === null ? text : 'no score'}
                  </span>
                )
              })}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
