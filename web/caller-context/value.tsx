import type { ContextFormat, ContextValue } from '../api/caller-context.ts'
import { contextTexts } from '../i18n/caller-context.ts'
import { useTexts } from '../i18n/language.tsx'
import { dialNumber } from '../softphone/dialing/dial.ts'
import { Badge } from '../ui/page.tsx'
import { readablePhone } from '../ui/phone.ts'
import { useFormats } from './formats.ts'
import { SafeLink } from './safe-link.tsx'

interface ValueProps {
  value: ContextValue
  format?: ContextFormat
  url?: string
  /** It is inside a link, so it cannot be one itself. */
  isLinked?: boolean
}

/** A value in its format; the link of its field takes precedence over that of the format. */
export function Value({ value, format, url, isLinked = false }: ValueProps) {
  const formats = useFormats()
  if (typeof value !== 'string') return <SafeLink url={url}>{formats.money(value)}</SafeLink>
  if (format === 'badge') {
    return (
      <SafeLink url={url} className="no-underline">
        <Badge tone="accent">{value}</Badge>
      </SafeLink>
    )
  }
  if (format === 'date') return <SafeLink url={url}>{formats.date(value)}</SafeLink>
  const canLink = url === undefined && !isLinked
  if (format === 'email' && canLink) {
    return (
      <a href={`mailto:${value}`} className="break-all text-accent underline">
        {value}
      </a>
    )
  }
  if (format === 'phone' && canLink) return <PhoneValue phone={value} />
  return <SafeLink url={url}>{format === 'phone' ? readablePhone(value) : value}</SafeLink>
}

function PhoneValue({ phone }: { phone: string }) {
  const t = useTexts(contextTexts)
  const readable = readablePhone(phone)
  return (
    <button
      type="button"
      title={t.call(readable)}
      className="text-accent underline"
      onClick={() => dialNumber(phone)}
    >
      {readable}
    </button>
  )
}
