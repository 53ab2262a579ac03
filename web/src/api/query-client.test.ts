import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { AppQueryClient } from './query-client'

it('reads once more what changed during its first read', async () => {
  const client = new AppQueryClient()
  const reads: ((found: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['list', 1],
    queryFn: () => new Promise<string>((resolve) => reads.push(resolve)),
  })
  const end = observer.subscribe(() => undefined)
  expect(reads).toHaveLength(1)
  const changed = client.invalidateQueries({ queryKey: ['list'] })
  reads[0]!('before')
  await expect.poll(() => reads.length).toBe(2)
  reads[1]!('after')
  await changed
  expect(observer.getCurrentResult().data).toBe('after')
  end()
  client.clear()
})
