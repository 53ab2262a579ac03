/** What is shown to who may not see a part of the settings, and to everybody else where it failed. */
import { ApiError } from '../../api/client'
import { Snippet } from '../../ui/copy'
import { Empty, Failed } from '../../ui/states'

/** @param props.command what does the same on the machine */
export function DeniedOrFailed({
  error,
  retry,
  command,
}: {
  error: Error
  retry: () => void
  command: string
}) {
  if (!(error instanceof ApiError && error.code === 'NO_RIGHT')) return <Failed error={error} retry={retry} />
  return (
    <Empty title="Your key has no admin rights">
      <p>Ask for a key with the right admin over your entity. On the machine that Heddle runs on:</p>
      <Snippet text={command} />
    </Empty>
  )
}
