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
  const [isRefused, setRefused] = useState(false)
  const copy = async (button: HTMLElement) => {
    const isDone = await written(typeof text === 'string' ? text : text(), button)
    setRefused(!isDone)
    setCopied(isDone)
    setTimeout(() => setCopied(false), 1200)
  }
  return (
    <IconButton
      className="copy"
      icon={copied ? 'check' : icon}
      label={copied ? 'Copied' : isRefused ? 'The browser refused to copy' : label}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    />
  )
}

/**
 * Puts a text on the clipboard. Browsers have no clipboard on plain http, except on this machine: there, the text is
 * copied out of a field that is not seen.
 * @returns whether it worked
 */
async function written(text: string, button: HTMLElement): Promise<boolean> {
  if (window.isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const field = document.createElement('textarea')
  field.className = 'unseen'
  field.value = text
  // What is outside of an open dialog can't be focused.
  ;(button.closest('dialog') ?? document.body).append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  button.focus()
  return isDone
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
