/** Where the pages are signed in with one's key, and the end of all of it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Session, sessionsQuery, signOutEverywhere } from '../../api/session'
import { Button } from '../../ui/button'
import { Failed, Loading } from '../../ui/states'
import { Table, timeColumn } from '../../ui/table'

export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: () => location.assign('/signin'),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (sessions === undefined) return <Loading />
  return (
    <>
      <div className="row settings-bar">
        <span className="muted">Browsers that are signed in with your key</span>
        <span className="grow" />
        <Button tone="danger" disabled={end.isPending} onClick={() => end.mutate()}>
          Sign out everywhere
        </Button>
      </div>
      {end.error && (
        <p className="bad" role="alert">
          {end.error.message}
        </p>
      )}
      <Table
        rows={sessions}
        keyOf={(session) => `${session.created_at} ${session.expires_at}`}
        columns={[
          timeColumn<Session>('Signed in', ({ created_at: at }) => at),
          timeColumn<Session>('Ends', ({ expires_at: at }) => at),
          {
            title: 'Browser',
            cell: ({ is_current: isCurrent }) =>
              isCurrent ? <span className="chip accent">this one</span> : 'another',
          },
        ]}
      />
    </>
  )
}
