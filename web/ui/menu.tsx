import { Link } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

interface MenuProps {
  /** One element that takes a ref: the trigger of the menu. */
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom' | 'right'
  /** For a menu that something else opens too. */
  open?: boolean
  onOpenChange?(open: boolean): void
}

export function Menu({ trigger, children, align = 'end', side = 'bottom', open, onOpenChange }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] min-w-48 overflow-y-auto rounded-xl border bg-raised p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const ITEM =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left text-sm outline-none select-none data-highlighted:bg-hover'

interface MenuItemProps {
  onSelect?(): void
  /** A page of the dashboard. */
  to?: string
  /** Any other page. */
  href?: string
  danger?: boolean
  children: ReactNode
}

export function MenuItem({ onSelect, to, href, danger = false, children }: MenuItemProps) {
  const className = `${ITEM} ${danger ? 'text-wrong' : ''}`
  if (to !== undefined) {
    return (
      <DropdownMenu.Item asChild className={className}>
        <Link to={to}>{children}</Link>
      </DropdownMenu.Item>
    )
  }
  if (href === undefined) {
    return (
      <DropdownMenu.Item className={className} onSelect={onSelect}>
        {children}
      </DropdownMenu.Item>
    )
  }
  return (
    <DropdownMenu.Item asChild className={className}>
      <a href={href}>{children}</a>
    </DropdownMenu.Item>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-xs font-semibold text-soft">
    {children}
  </DropdownMenu.Label>
)

export const MenuSeparator = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />

interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange(value: T): void
}

/** One of a few options, with the current one marked. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map(([option, name]) => (
        <DropdownMenu.RadioItem key={option} value={option} className={ITEM}>
          <span className="grid size-4 place-items-center" aria-hidden="true">
            <DropdownMenu.ItemIndicator className="size-2 rounded-full bg-accent" />
          </span>
          {name}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
