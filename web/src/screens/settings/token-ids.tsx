/** Whether a project keeps the token ids of completions by models served here. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keepTokenIds } from '../../api/settings'

export function TokenIds({ project, keep }: { project: string; keep: boolean }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (next: boolean) => keepTokenIds(project, next),
    onSuccess: () => client.invalidateQueries({ queryKey: ['settings', project] }),
  })
  return (
    <>
      <label className="row">
        <input
          type="checkbox"
          checked={keep}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
        Keep token ids of completions, to train on sessions as they were
      </label>
      {change.error && (
        <p className="bad" role="alert">
          {change.error.message}
        </p>
      )}
    </>
  )
}
