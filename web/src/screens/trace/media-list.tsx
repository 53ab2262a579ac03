/** What a call was given or made beside text: images, sound, video, and files to keep. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Media, mediaIn } from '../../../../domain/calls/media'
import { mediaQuery } from '../../api/media'
import { sharedFile } from '../../api/shared'
import { useVisit } from '../../api/visit'

export function MediaList({ project, value }: { project: string; value: unknown }) {
  const media = useMemo(() => mediaIn(value), [value])
  if (media.length === 0) return null
  return (
    <section className="media" aria-label="Media">
      {media.map((one) => (
        <One key={one.uri} project={project} {...one} />
      ))}
    </section>
  )
}

function One({ project, uri, type }: Media & { project: string }) {
  const visit = useVisit()
  const { data, error } = useQuery({ ...mediaQuery(project, uri), enabled: visit === undefined })
  const url = visit ? sharedFile(visit.token, visit.callId, uri) : data
  const [isNoImage, setNoImage] = useState(false)
  if (error) return <p className="muted">{error.message}</p>
  if (url === undefined) return null
  const [kind] = type.split('/')
  // biome-ignore lint/a11y/useMediaCaption: nobody has written any
  if (kind === 'audio') return <audio controls src={url} />
  // biome-ignore lint/a11y/useMediaCaption: nobody has written any
  if (kind === 'video') return <video controls src={url} className="chat-image" />
  // Content whose type is not said is an image if the browser can show it as one.
  if ((kind === 'image' || kind === '') && !isNoImage)
    return <img className="chat-image" src={url} alt={type || 'media'} onError={() => setNoImage(true)} />
  return (
    <a href={url} download>
      {type === '' ? 'file' : type}
    </a>
  )
}
