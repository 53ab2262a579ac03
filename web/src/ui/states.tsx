/** What a screen shows while it has nothing: it loads, is empty, or failed. Each says what to do. */
import type { ReactNode } from 'react'
import { ApiError } from '../api/client'
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

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div className="state failed" role="alert">
      <Icon name="error" />
      <p>{message}</p>
      {error instanceof ApiError && error.code !== '' && <code>{error.code}</code>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}
