/** Why a call failed: the error, then the lines of the program that led to it. */
import { type Frame, failureIn } from '../../api/exceptions'
import { Copy } from '../../ui/copy'
import { counted } from '../../ui/format'

export function Exception({ text }: { text: string }) {
  const { title, frames, text: whole } = failureIn(text)
  const [own, foreign] = [frames.filter((one) => !one.isForeign), frames.filter((one) => one.isForeign)]
  return (
    <div className="detail-error">
      <pre>{whole ?? title}</pre>
      <Frames frames={own} />
      {foreign.length > 0 && (
        <details>
          <summary>{counted(frames.length, 'frame')}, with those of packages</summary>
          <Frames frames={frames} />
        </details>
      )}
      <Copy text={text} />
    </div>
  )
}

function Frames({ frames }: { frames: readonly Frame[] }) {
  if (frames.length === 0) return null
  return (
    <ol className="detail-frames">
      {frames.map(({ file, line, name, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its place
        <li key={i}>
          {file}
          {line !== undefined && `:${line}`} in {name}
          {text !== '' && <pre>{text}</pre>}
        </li>
      ))}
    </ol>
  )
}
