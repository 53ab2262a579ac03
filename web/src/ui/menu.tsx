/** Menus and popovers below a button. Not modal: a modal one would inject styles, which the page's policy refuses. */
import { DropdownMenu, Popover as RadixPopover } from 'radix-ui'
import type { ReactNode } from 'react'

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export function MenuItem({
  choose,
  children,
  danger = false,
}: {
  choose: () => void
  children: ReactNode
  danger?: boolean
}) {
  return (
    <DropdownMenu.Item className={danger ? 'menu-item danger' : 'menu-item'} onSelect={choose}>
      {children}
    </DropdownMenu.Item>
  )
}

export function Popover({
  label,
  trigger,
  children,
  open,
  setOpen,
}: {
  /** says what it is to who does not see it */
  label: string
  trigger: ReactNode
  children: ReactNode
  open?: boolean
  setOpen?: (open: boolean) => void
}) {
  return (
    <RadixPopover.Root {...(open !== undefined && { open })} {...(setOpen && { onOpenChange: setOpen })}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          className="popover"
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}
