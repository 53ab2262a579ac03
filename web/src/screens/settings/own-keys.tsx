/** The personal keys of who is signed in: what they may do is what their user may do at the time. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, ownKeysQuery } from '../../api/keys'
import { Button } from '../../ui/button'
import { Empty, Failed, Loading } from '../../ui/states'
import { Change, NewKey, Revocation, Rotation } from './key-dialogs'
import { KeyTable } from './key-table'

export function OwnKeys() {
  const { data: keys, error, refetch } = useQuery(ownKeysQuery)
  const [isMaking, setMaking] = useState(false)
  const [ending, setEnding] = useState<ApiKey>()
  const [changing, setChanging] = useState<ApiKey>()
  const [rotating, setRotating] = useState<ApiKey>()
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (keys === undefined) return <Loading />
  return (
    <>
      <div className="row settings-bar">
        <h2>Your personal keys</h2>
        <span className="grow" />
        <Button tone="primary" icon="plus" onClick={() => setMaking(true)}>
          Make a personal key
        </Button>
      </div>
      {keys.length === 0 ? (
        <Empty title="You have no personal key">
          <p>Programs that work for you send one. It may do what you may, and ends with your user.</p>
        </Empty>
      ) : (
        <KeyTable
          label="Personal keys"
          isOwn
          keys={keys}
          change={setChanging}
          rotate={setRotating}
          revoke={setEnding}
        />
      )}
      <NewKey title="Make a personal key" isPersonal open={isMaking} close={() => setMaking(false)} />
      <Change changed={changing} done={() => setChanging(undefined)} />
      <Rotation rotated={rotating} done={() => setRotating(undefined)} />
      <Revocation isOwn ended={ending} done={() => setEnding(undefined)} />
    </>
  )
}
