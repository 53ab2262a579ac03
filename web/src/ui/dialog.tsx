/** A dialog over the page: the browser's own element, which keeps the focus and closes with Escape. */
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './button'

const FIELD = ':is(input, select, textarea):not(:disabled, [type=hidden])'

export function Dialog({
  title,
  open,
  close,
  children,
}: {
  title: string
  open: boolean
  close: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current!
    if (open && !dialog.open) {
      dialog.showModal()
      // The browser's choice is the first that can have it, which is the cross.
      const body = dialog.querySelector('.dialog-body')
      if (!body?.contains(document.activeElement)) body?.querySelector<HTMLElement>(FIELD)?.focus()
    }
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    <dialog ref={ref} className="dialog" aria-label={title} onClose={close}>
      {open && (
        <>
          <header>
            <h2>{title}</h2>
            <IconButton icon="close" label="Close" onClick={close} />
          </header>
          <div className="dialog-body">{children}</div>
        </>
      )}
    </dialog>
  )
}
