/** Where one is signed in to the pages: ends one of these sessions, or all. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endSession, type Session, sessionsQuery, signOutEverywhere } from '../../api/session'
import { Button } from '../../ui/button'
import { Failed, Loading } from '../../ui/states'
import { Table, timeColumn } from '../../ui/table'
import { Time } from '../../ui/time'

export function Sessions() {
  const client = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const endAll = useMutation({ mutationFn: signOutEverywhere, onSuccess: (to) => location.assign(to) })
  const endOne = useMutation({
    mutationFn: endSession,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (sessions === undefined) return <Loading />
  const failure = endAll.error ?? endOne.error
  return (
    <>
      <div className="row settings-bar">
        <span className="muted">Browsers that are signed in as you, or with your key</span>
        <span className="grow" />
        <Button tone="danger" disabled={endAll.isPending} onClick={() => endAll.mutate()}>
          Sign out everywhere
        </Button>
      </div>
      {failure && (
        <p className="bad" role="alert">
          {failure.message}
        </p>
      )}
      <Table
        label="Sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Browser', cell: ({ browser }) => <span title={browser}>{browserName(browser)}</span> },
          { title: 'Address', cell: ({ address }) => address || 'not known', isMuted: true },
          timeColumn<Session>('Signed in', ({ created_at: at }) => at, { isWide: true }),
          timeColumn<Session>('Last used', ({ seen_at: at }) => at),
          { title: 'Ends', cell: ({ expires_at: at }) => <Time at={at} />, isMuted: true, isWide: true },
          {
            title: '',
            className: 'right',
            cell: ({ id, is_current: isCurrent }) =>
              isCurrent ? (
                <span className="chip accent">this one</span>
              ) : (
                <Button tone="quiet" disabled={endOne.isPending} onClick={() => endOne.mutate(id)}>
                  End it
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}

/** In the order in which they are looked for: most browsers name others, too. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** What people call a browser that names itself so. */
function browserName(agent: string): string {
  const [, browser] = BROWSERS.find(([part]) => agent.includes(`${part}/`)) ?? []
  const [, system] = SYSTEMS.find(([part]) => agent.includes(part)) ?? []
  if (browser === undefined) return agent === '' ? 'not known' : agent.slice(0, 40)
  return system === undefined ? browser : `${browser} on ${system}`
}
