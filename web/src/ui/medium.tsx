/** An image, sound, a video, or a file to keep, by its address. */
import { useState } from 'react'
import './medium.css'

/** @param props.type of the bytes; '' if nobody says */
export function Medium({ url, type }: { url: string; type: string }) {
  const [isNoImage, setNoImage] = useState(false)
  const [kind] = type.split('/')
  // biome-ignore lint/a11y/useMediaCaption: nobody has written any
  if (kind === 'audio') return <audio controls src={url} />
  // biome-ignore lint/a11y/useMediaCaption: nobody has written any
  if (kind === 'video') return <video controls src={url} className="medium" />
  // Content whose type is not said is an image if the browser can show it as one.
  if ((kind === 'image' || kind === '') && !isNoImage)
    return <img className="medium" src={url} alt={type || 'media'} onError={() => setNoImage(true)} />
  return (
    <a href={url} download>
      {type === '' ? 'file' : type}
    </a>
  )
}
