import type { ComponentProps } from 'react'

const LOOKS = {
  main: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong',
  quiet: 'bg-surface text-ink border-line hover:bg-hover',
  bare: 'bg-transparent text-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-wrong border-line hover:bg-wrong-ground',
}
const SIZES = {
  medium: 'h-9 px-3.5 text-sm gap-2',
  small: 'h-7.5 px-2.5 text-sm gap-1.5',
  icon: 'size-9 justify-center',
}

export interface ButtonVariant {
  look?: keyof typeof LOOKS
  size?: keyof typeof SIZES
}

export const buttonClass = ({ look = 'quiet', size = 'medium' }: ButtonVariant = {}) =>
  `inline-flex shrink-0 items-center justify-center rounded-lg border font-semibold whitespace-nowrap transition-colors disabled:opacity-50 ${LOOKS[look]} ${SIZES[size]}`

export function Button({
  look,
  size,
  className = '',
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonVariant) {
  return <button type={type} className={`${buttonClass({ look, size })} ${className}`} {...rest} />
}

/** A button with only an icon; its label is for screen readers and the tooltip. */
export function IconButton({ label, ...rest }: ComponentProps<'button'> & ButtonVariant & { label: string }) {
  return <Button look="bare" size="icon" aria-label={label} title={label} {...rest} />
}
