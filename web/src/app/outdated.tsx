/** What was read stays on the page while reading it anew fails or waits for a busy service; a notice says so. Knows no screen. */
import { type Query, QueryCache, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { ApiError, mayPass } from '../api/client'
import { Button } from '../ui/button'

/** Why, by the query's hash. */
const failures = new Map<string, string>()

/** A failure that says nothing of what was asked for: the service is away, busy or broken. */
const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || mayPass(error))

/** Whether it asked for the next page of a list. That has its own place on the screen for errors. */
const askedForMore = ({ state }: Query<unknown, unknown>) => state.fetchMeta?.fetchMore !== undefined

/** The cache of all queries. Queries with an answer keep it, without an error, if only asking again fails. */
export const queryCache = new QueryCache({
  onError: (error, query) => {
    if (query.state.data === undefined || askedForMore(query) || !isPassing(error)) return
    failures.set(query.queryHash, error.message)
    query.setState({ status: 'success', error: null })
  },
  onSuccess: (_, query) => {
    failures.delete(query.queryHash)
  },
})

/** Failures in a row after which the page says why it waits. */
const TOLD_AFTER = 2

/** Why a read has failed, or waits to be tried again. */
function failureOf({ queryHash, state }: Query): string | undefined {
  const { data, fetchFailureCount: times, fetchFailureReason: reason } = state
  const isWaiting = times >= TOLD_AFTER && isPassing(reason) && reason.status !== 0
  if (!isWaiting) return outdated(failures.get(queryHash))
  return data === undefined ? reason.message : outdated(reason.message)
}

const outdated = (why: string | undefined) => why && `This page may be out of date. ${why}`

const firstFailure = () =>
  queryCache
    .findAll({ type: 'active' })
    .map(failureOf)
    .find((message) => message !== undefined)

/** Says that something on the page could not be read anew, and why. */
export function Outdated() {
  const client = useQueryClient()
  const subscribe = useCallback((listener: () => void) => queryCache.subscribe(listener), [])
  const message = useSyncExternalStore(subscribe, firstFailure)
  if (message === undefined) return null
  return (
    <div className="connection" role="status">
      {message}
      <Button
        onClick={() => void client.refetchQueries({ predicate: (query) => failureOf(query) !== undefined })}
      >
        Load again
      </Button>
    </div>
  )
}
