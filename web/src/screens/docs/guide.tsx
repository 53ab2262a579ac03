/** A guide, whose links to others stay in the application. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type MouseEvent, Suspense, useEffect, useMemo } from 'react'
import { loaded } from '../../app/connection'
import { PlainText } from '../../ui/markdown'
import { Failed, Loading } from '../../ui/states'
import { guideQuery, isGuide } from './guides'
import { linked } from './linked'

const Formatted = lazy(() => loaded(() => import('../../ui/formatted')))

export function Guide({ page }: { page: string }) {
  const { data, error, refetch } = useQuery(guideQuery(page))
  const navigate = useNavigate()
  const { hash } = useLocation()
  const text = useMemo(() => data && linked(data, page, location.origin, isGuide), [data, page])
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    const { origin, pathname, searchParams, hash: at } = new URL(link.href)
    const to = searchParams.get('page')
    if (origin !== location.origin || pathname !== '/docs' || to === null) return
    event.preventDefault()
    void navigate({ to: '/docs', search: { page: to }, hash: decodeURIComponent(at.slice(1)) })
  }
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (text === undefined) return <Loading />
  return (
    <article className="docs-guide" onClick={follow}>
      <Suspense fallback={<Loading />}>
        <Formatted text={text} fallback={<PlainText text={text} />} isOurs />
        <Shown at={hash} />
      </Suspense>
    </article>
  )
}

/** Beside the text: by the time of its effect, the text is there. */
function Shown({ at }: { at: string }) {
  useEffect(() => {
    if (at !== '') document.getElementById(`at-${at}`)?.scrollIntoView()
  }, [at])
  return null
}
