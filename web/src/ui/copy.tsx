/** A button that copies a text. */
import { useState } from 'react'
import { IconButton } from './button'
import type { IconName } from './icons'

interface Props {
  text: string | (() => string)
  label?: string
  icon?: IconName
}

export function Copy({ text, label = 'Copy', icon = 'copy' }: Props) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
    setTimeout(() => setCopied(false), 1200)
  }
  return (
    <IconButton
      className="copy"
      icon={copied ? 'check' : icon}
      label={copied ? 'Copied' : label}
      onClick={() => void copy()}
    />
  )
}

/** Lines to paste into a terminal or a file. */
export function Snippet({ text }: { text: string }) {
  return (
    <div className="snippet">
      <pre>{text}</pre>
      <Copy text={text} />
    </div>
  )
}
