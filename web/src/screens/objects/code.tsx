/** The code of a version of an op. */
import { useQuery } from '@tanstack/react-query'
import { fileQuery, type Obj } from '../../api/objects'
import { Code as Text } from '../../ui/code'
import { Failed, Loading } from '../../ui/states'
import { codeOf } from './kinds'

export function Code({ object }: { object: Obj }) {
  const digest = codeOf(object.val)
  const { data, error, refetch } = useQuery({
    ...fileQuery(object.project_id, digest ?? ''),
    enabled: digest !== undefined,
  })
  if (digest === undefined) return <p className="state">No code was saved with this version.</p>
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return data === undefined ? <Loading /> : <Text text={data} language="python" />
}
