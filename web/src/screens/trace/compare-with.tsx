/** Chooses the trace that this one is compared with, and shows how they differ. */
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { loaded } from '../../app/connection'
import { Button, IconButton } from '../../ui/button'
import { Popover } from '../../ui/menu'

const CompareCalls = lazy(() =>
  loaded(() => import('../traces/compare')).then(({ CompareCalls: component }) => ({ default: component })),
)

interface Props {
  project: string
  callId: string
  /** the trace before this one in the list, and the one after it */
  others: readonly [string | undefined, string | undefined]
  /** the one that it is compared with now */
  compared: string | undefined
  compare: (other: string | undefined) => void
}

export function CompareWith({ project, callId, others: [before, after], compared, compare }: Props) {
  const [isOpen, setOpen] = useState(false)
  const choose = (other: string) => {
    setOpen(false)
    compare(other)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = idIn(String(new FormData(event.currentTarget).get('other') ?? ''))
    if (id !== '') choose(id)
  }
  return (
    <>
      <Popover
        label="Compare with another trace"
        open={isOpen}
        setOpen={setOpen}
        trigger={<IconButton icon="evaluations" label="Compare with another trace" />}
      >
        <form className="trace-compare" onSubmit={submit}>
          <div className="row">
            <Button disabled={before === undefined} onClick={() => before && choose(before)}>
              The one before
            </Button>
            <Button disabled={after === undefined} onClick={() => after && choose(after)}>
              The one after
            </Button>
          </div>
          <label>
            Another one
            <input
              className="input"
              name="other"
              required
              placeholder="Its id or address"
              autoComplete="off"
            />
          </label>
          <Button tone="primary" type="submit">
            Compare
          </Button>
        </form>
      </Popover>
      {compared !== undefined && (
        <Suspense>
          <CompareCalls project={project} ids={[compared, callId]} open close={() => compare(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** An id, or the one at the end of an address of a call. */
function idIn(text: string): string {
  const [, id] = /\/r\/call\/([^/?#]+)/.exec(text) ?? []
  return id === undefined ? text.trim() : decodeURIComponent(id)
}
