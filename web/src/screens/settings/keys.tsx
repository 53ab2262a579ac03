/** Keys: one's personal ones, if one is a user, and those that one administers. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, keysQuery } from '../../api/keys'
import { sessionQuery, useIsAdmin } from '../../api/session'
import { useShortcuts } from '../../app/keys'
import { Button } from '../../ui/button'
import { counted } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty, Loading } from '../../ui/states'
import { DeniedOrFailed } from './denied'
import { Change, NewKey, Revocation, Rotation } from './key-dialogs'
import { grantText, KeyTable } from './key-table'
import { OwnKeys } from './own-keys'

export function Keys() {
  const { data: session } = useQuery(sessionQuery)
  const isAdmin = useIsAdmin('Keys')
  const isUser = session?.user_id != null
  return (
    <>
      {isUser && <OwnKeys />}
      {isUser && isAdmin && <h2 className="settings-bar">Keys that you administer</h2>}
      {(!isUser || isAdmin) && <AllKeys />}
    </>
  )
}

function AllKeys() {
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const [text, setText] = useState('')
  const [isMaking, setMaking] = useState(false)
  const [ending, setEnding] = useState<ApiKey>()
  const [changing, setChanging] = useState<ApiKey>()
  const [rotating, setRotating] = useState<ApiKey>()
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
        <KeyTable label="Keys" keys={shown} change={setChanging} rotate={setRotating} revoke={setEnding} />
      )}
      <NewKey title="Make a key" open={isMaking} close={() => setMaking(false)} />
      <Change changed={changing} done={() => setChanging(undefined)} />
      <Rotation rotated={rotating} done={() => setRotating(undefined)} />
      <Revocation ended={ending} done={() => setEnding(undefined)} />
    </>
  )
}
