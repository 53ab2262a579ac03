/** What would have set off a rule in the last days, before it is made; nothing is done. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { rulePreviewQuery } from '../../api/rules'
import { count } from '../../ui/format'
import { useSettled } from '../../ui/settled'
import { Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import type { Draft } from './draft'
import { previewOf } from './saved'
import { Subject } from './subject'

const DAYS = 7

export function Preview({ project, draft }: { project: string; draft: Draft }) {
  const { name, trigger } = useSettled(draft)
  const request = useMemo(() => {
    const asked = previewOf({ name, trigger })
    return asked && { ...asked, days: DAYS }
  }, [name, trigger])
  const { data, error } = useQuery(rulePreviewQuery(project, request))
  return (
    <section className="panel rules-preview" aria-label="What it would have matched">
      {request === undefined ? (
        <p className="muted">Say what sets it off: what it would have matched is shown here.</p>
      ) : error ? (
        <p className="bad" role="alert">
          {error.message}
        </p>
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          <p role="status">
            It would have matched <strong>{count(data.matched)}</strong> in the last {DAYS} days.
          </p>
          {data.newest.length > 0 && (
            <>
              <h3>The newest</h3>
              <ul>
                {data.newest.map(({ at, subject }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a call may match by several scores
                  <li key={i}>
                    <Subject project={project} of={subject} />{' '}
                    <span className="muted">
                      <Time at={at} relative />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </section>
  )
}
