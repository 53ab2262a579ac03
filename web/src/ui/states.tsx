/** What a screen shows while it has nothing: it loads, is empty, or failed. Each says what to do. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError, mayPass } from '../api/client'
import { listAbove } from '../app/address'
import { Button } from './button'
import { Icon } from './icons'

export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <div className="state" role="status">
      <span className="spinner" aria-hidden />
      {what}…
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** @param props.children where to go on; default: where the error and the address lead */
export function Failed({
  error,
  retry,
  children,
}: {
  error: unknown
  retry?: () => void
  children?: ReactNode
}) {
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div className="state failed" role="alert">
      <Icon name="error" />
      <p>{message}</p>
      {error instanceof ApiError && error.code !== '' && <code>{error.code}</code>}
      {retry && <Button onClick={retry}>Try again</Button>}
      {children ?? <WayOn error={error} />}
    </div>
  )
}

/** Where else to look, if to try again is not enough. */
function WayOn({ error }: { error: unknown }) {
  const isRefused = error instanceof ApiError && error.status === 403
  const list = listAbove(window.location.pathname)
  if (isRefused) return <Link to="/">Go to the projects</Link>
  if (list === undefined || (error instanceof ApiError && mayPass(error))) return null
  return <Link to={list}>Go to the list</Link>
}
