/** Buttons: with a text, or an icon that says its name on hover. */
import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icons'

interface ButtonProps extends ComponentProps<'button'> {
  tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  icon?: IconName
  children?: ReactNode
}

export function Button({ tone = 'plain', icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${tone} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Below a list: reads its next page, while there is one. @param props.of the query of the list; one that is not infinite has no next page */
export function NextPage({ of, children = 'More' }: { of: Partial<Pages>; children?: ReactNode }) {
  if (!of.hasNextPage) return null
  return (
    <Button className="next-page" disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage?.()}>
      {children}
    </Button>
  )
}

/** @param props.label what it does, for readers and on hover */
export function IconButton({
  label,
  icon,
  className = '',
  ...rest
}: ButtonProps & { label: string; icon: IconName }) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  )
}
