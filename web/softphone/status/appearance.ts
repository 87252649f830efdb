import {
  BellOff,
  LoaderCircle,
  type LucideIcon,
  MicOff,
  Phone,
  PhoneCall,
  PhoneIncoming,
  PhoneOff,
  WifiOff,
} from 'lucide-react'

import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import type { Status, StatusKind } from './status.ts'
import { statusTexts } from './texts.ts'
import { dayOf } from './until.ts'

interface Appearance {
  icon: LucideIcon
  /** Of the icon. */
  colour: string
}

const GOOD = 'bg-good-ground text-good'
const BUSY = 'bg-accent-ground text-accent'
const WARN = 'bg-warn-ground text-warn'
const WRONG = 'bg-wrong-ground text-wrong'
const PLAIN = 'bg-hover text-soft'

/** The icon differs as well as the colour: not everybody sees the latter. */
export const APPEARANCES: Record<StatusKind, Appearance> = {
  ready: { icon: Phone, colour: GOOD },
  ready_elsewhere: { icon: Phone, colour: GOOD },
  do_not_disturb: { icon: BellOff, colour: WARN },
  ringing: { icon: PhoneIncoming, colour: BUSY },
  on_call: { icon: PhoneCall, colour: BUSY },
  connecting: { icon: LoaderCircle, colour: PLAIN },
  offline: { icon: WifiOff, colour: WRONG },
  no_microphone: { icon: MicOff, colour: WRONG },
  switched_off: { icon: PhoneOff, colour: PLAIN },
  other_tab: { icon: PhoneOff, colour: PLAIN },
  refused: { icon: PhoneOff, colour: WRONG },
  unsupported: { icon: PhoneOff, colour: PLAIN },
}

interface StatusText {
  title: string
  detail: string | undefined
  /** Both, for screen readers and where there is one line. */
  whole: string
}

export function useStatusText({ is, doNotDisturb }: Status): StatusText {
  const t = useTexts(statusTexts)
  const until = useUntilText()
  const title = t.kinds[is]
  const detail = () => {
    const end = doNotDisturb?.until ? until(new Date(doNotDisturb.until)) : undefined
    if (is === 'do_not_disturb') return end
    if (doNotDisturb) return [t.kinds.do_not_disturb, end].filter(Boolean).join(' ')
    return is in t.hints ? t.hints[is as keyof typeof t.hints] : undefined
  }
  const said = detail()
  const separator = is === 'do_not_disturb' ? ' ' : ', '
  return { title, detail: said, whole: said === undefined ? title : title + separator + said }
}

/** `until 21:00`, or with the day, if it is not today. */
export function useUntilText(): (until: Date) => string {
  const t = useTexts(statusTexts)
  const dates = useDates()
  return (until) => {
    const at = until.toISOString()
    return t.until[dayOf(until, new Date())](dates.time(at), dates.brief(at))
  }
}
