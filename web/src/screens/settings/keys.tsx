/** The keys that who is signed in administers: made, shown once, revoked. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, type Grant, keysQuery, revokeKey } from '../../api/keys'
import { useShortcuts } from '../../app/keys'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { counted } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty, Loading } from '../../ui/states'
import { Table, timeColumn } from '../../ui/table'
import { DeniedOrFailed } from './denied'
import { KeyForm } from './key-form'

const grantText = ({ scope, right }: Grant): string => `${scope}:${right}`

export function Keys() {
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const [text, setText] = useState('')
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState('')
  const [ending, setEnding] = useState<ApiKey>()
  useShortcuts([{ keys: 'n', what: 'Make a key', run: () => setMaking(true) }])
  if (error)
    return (
      <DeniedOrFailed
        error={error}
        retry={() => void refetch()}
        command="heddle keys create --user me --grant acme:admin"
      />
    )
  if (keys === undefined) return <Loading />
  const shown = keys.filter(({ username, label, grants }) =>
    [username, label, ...grants.map(grantText)].join(' ').toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <>
      <div className="row settings-bar">
        <SearchInput label="Find a key" text={text} setText={setText} />
        <span className="muted">{counted(shown.length, 'key')}</span>
        <span className="grow" />
        <Button tone="primary" icon="plus" onClick={() => setMaking(true)}>
          Make a key
        </Button>
      </div>
      {shown.length === 0 ? (
        <Empty title="No key matches" />
      ) : (
        <Table
          rows={shown}
          keyOf={({ key_id: id }) => id}
          columns={[
            {
              title: 'User',
              cell: ({ username, is_current: isCurrent }) => (
                <>
                  {username} {isCurrent && <span className="chip accent">yours</span>}
                </>
              ),
            },
            {
              title: 'Rights',
              cell: ({ grants }) =>
                grants.map((grant) => (
                  <span key={grantText(grant)} className="chip">
                    {grantText(grant)}
                  </span>
                )),
            },
            { title: 'Label', isWide: true, cell: ({ label }) => label },
            { title: 'Logs chats to', isWide: true, cell: ({ trace_project: project }) => project },
            timeColumn<ApiKey>('Made', ({ created_at: at }) => at, { isWide: true }),
            { title: 'Id', isWide: true, cell: ({ key_id: id }) => <code>{id}</code> },
            {
              title: <span className="unseen">Revoke</span>,
              isNumber: true,
              cell: (key) => (
                <Button
                  tone="danger"
                  aria-label={`Revoke the key ${key.key_id} of ${key.username}`}
                  onClick={() => setEnding(key)}
                >
                  Revoke
                </Button>
              ),
            },
          ]}
        />
      )}
      <Dialog
        title="Make a key"
        open={isMaking}
        close={() => {
          setMaking(false)
          setMade('')
        }}
      >
        {made === '' ? <KeyForm done={setMade} /> : <Made made={made} />}
      </Dialog>
      <Dialog title="Revoke a key" open={ending !== undefined} close={() => setEnding(undefined)}>
        {ending && <Revocation ended={ending} done={() => setEnding(undefined)} />}
      </Dialog>
    </>
  )
}

function Made({ made }: { made: string }) {
  return (
    <div className="settings-form">
      <p>Copy the key now. It is not stored, and not shown again.</p>
      <Snippet text={made} />
      <p className="muted">
        Clients of Weave read it from <code>WANDB_API_KEY</code>; others send it as Bearer token.
      </p>
    </div>
  )
}

function Revocation({ ended, done }: { ended: ApiKey; done: () => void }) {
  const client = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => revokeKey(ended.key_id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      done()
    },
  })
  return (
    <div className="settings-form">
      <p>
        Whatever uses the key {ended.key_id} of {ended.username} stops working within 10 seconds, for good.
        {ended.is_current && ' You are signed in with it: you will be signed out.'}
      </p>
      {revocation.error && (
        <p className="bad" role="alert">
          {revocation.error.message}
        </p>
      )}
      <Button tone="danger" disabled={revocation.isPending} onClick={() => revocation.mutate()}>
        Revoke it
      </Button>
    </div>
  )
}
