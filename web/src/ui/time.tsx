/** A point in time, in the zone that the user chose. */
import { ago, dateTime, type Zone } from './format'
import { useKept } from './kept'

export function useZone(): [Zone, (zone: Zone) => void] {
  const [zone, setZone] = useKept('zone', 'local')
  return [zone === 'utc' ? 'utc' : 'local', setZone]
}

export function Time({
  at,
  relative = false,
  millis = false,
}: {
  at: string
  relative?: boolean
  millis?: boolean
}) {
  const [zone] = useZone()
  const other = dateTime(at, zone === 'utc' ? 'local' : 'utc', true)
  const absolute = dateTime(at, zone, millis)
  return (
    <time
      dateTime={at}
      title={`${dateTime(at, zone, true)} ${zone}\n${other} ${zone === 'utc' ? 'local' : 'utc'}`}
    >
      {relative ? ago(at) : absolute}
    </time>
  )
}
