/** What a call was given or made beside text: images, sound, video, and files to keep. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isStored, type Media, mediaIn } from '../../../../domain/calls/media'
import { mediaQuery } from '../../api/media'
import { sharedFile } from '../../api/shared'
import { useVisit } from '../../api/visit'
import { Medium } from '../../ui/medium'

interface Props {
  project: string
  value: unknown
  /** images in messages are shown with these */
  isChat?: boolean
}

export function MediaList({ project, value, isChat = false }: Props) {
  const media = useMemo(
    () => mediaIn(value).filter((one) => !(isChat && one.uri.startsWith('data:image/'))),
    [value, isChat],
  )
  if (media.length === 0) return null
  return (
    <section className="media" aria-label="Media">
      {media.map((one) => (
        <One key={one.uri} project={project} {...one} />
      ))}
    </section>
  )
}

function One({ project, ...media }: Media & { project: string }) {
  const { uri, type } = media
  const visit = useVisit()
  const isElsewhere = isStored(media)
  const { data, error } = useQuery({
    ...mediaQuery(project, uri),
    enabled: visit === undefined && isElsewhere,
  })
  const url = !isElsewhere ? uri : visit ? sharedFile(visit.token, visit.callId, uri) : data
  if (error) return <p className="muted">{error.message}</p>
  return url === undefined ? null : <Medium url={url} type={type} />
}
