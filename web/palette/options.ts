import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Hash,
  type LucideIcon,
  MessageSquare,
  Phone,
  PhoneIncoming,
  PhoneOutgoing,
  User,
  Users,
  Voicemail,
} from 'lucide-react'

import { numbersQuery } from '../api/numbers.ts'
import { sessionQuery } from '../api/session.ts'
import { voicemailSearchQuery } from '../api/voicemails.ts'
import { useDates } from '../i18n/dates.ts'
import { useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { useCustomerName } from '../people/customer-name.ts'
import { useRecentCustomers } from '../people/recent-customers.ts'
import { useContactsFor } from '../people/use-contacts.ts'
import { DAILY_ITEMS, setupItemsOf } from '../shell/navigation-items.ts'
import { coworkersFor, useCoworkers } from '../softphone/dialing/coworkers.ts'
import { dialNumber } from '../softphone/dialing/dial.ts'
import { isDialable, readablePhone, withoutSeparators } from '../ui/phone.ts'
import { paletteTexts } from './texts.ts'

export interface Option {
  id: string
  icon: LucideIcon
  label: string
  detail?: string
  open(): void
  /** If it is somebody who can be called. */
  call?(): void
}

export interface OptionGroup {
  name: 'number' | 'contacts' | 'coworkers' | 'recent' | 'voicemails' | 'numbers' | 'pages'
  options: Option[]
}

/** What the typed text may mean, the likeliest first; groups without options are left out. */
export function useOptions(typed: string): OptionGroup[] {
  const text = typed.trim()
  const groups: OptionGroup[] = [
    { name: 'number', options: useTypedNumber(text) },
    { name: 'contacts', options: useContactOptions(text) },
    { name: 'coworkers', options: useCoworkerOptions(text) },
    { name: 'recent', options: useRecentCalls(text) },
    { name: 'voicemails', options: useVoicemails(text) },
    { name: 'numbers', options: useOwnNumbers(text) },
    { name: 'pages', options: usePages(text) },
  ]
  return groups.filter(({ options }) => options.length > 0)
}

const DIGITS_MIN = 3
const WORD_LETTERS_MIN = 3
const VOICEMAILS_MAX = 3
const plain = (text: string) => text.toLocaleLowerCase()
const isIn = (text: string, ...fields: string[]) => fields.some((field) => plain(field).includes(plain(text)))

function useConversation() {
  const navigate = useNavigate()
  return (phone: string) => void navigate({ to: '/inbox/{-$phone}', params: { phone } })
}

function useTypedNumber(text: string): Option[] {
  const t = useTexts(paletteTexts)
  const goTo = useConversation()
  const digits = withoutSeparators(text)
  if (!isDialable(digits) || digits.length < DIGITS_MIN) return []
  const call = () => dialNumber(digits)
  return [
    { id: 'call', icon: Phone, label: t.call(text), open: call, call },
    { id: 'thread', icon: MessageSquare, label: t.conversation(text), open: () => goTo(digits), call },
  ]
}

function useContactOptions(text: string): Option[] {
  const { contacts } = useContactsFor(text)
  const goTo = useConversation()
  return contacts.map(({ id, name, company_name, phone, phone_formatted }) => ({
    id,
    icon: User,
    label: name ?? company_name ?? phone_formatted,
    detail: [name && company_name, phone_formatted].filter(Boolean).join(' · '),
    open: () => goTo(phone),
    call: () => dialNumber(phone),
  }))
}

function useCoworkerOptions(text: string): Option[] {
  return coworkersFor(text, useCoworkers()).map(({ employee_id, name, extension }) => {
    const call = () => dialNumber(extension)
    return { id: employee_id, icon: Users, label: name, detail: extension, open: call, call }
  })
}

function useRecentCalls(text: string): Option[] {
  const dates = useDates()
  const goTo = useConversation()
  return useRecentCustomers(text).map(({ phone, name, call, canBeCalled }) => ({
    id: call.id,
    icon: call.direction === 'inbound' ? PhoneIncoming : PhoneOutgoing,
    label: name,
    detail: call.started_at === null ? undefined : dates.brief(call.started_at),
    open: () => goTo(phone),
    call: canBeCalled ? () => dialNumber(phone) : undefined,
  }))
}

/** By what was said in them; whoever left one is found as a caller already. */
function useVoicemails(text: string): Option[] {
  const goTo = useConversation()
  const nameOf = useCustomerName()
  const isWord = text.length >= WORD_LETTERS_MIN && /\p{L}/u.test(text)
  const { data } = useQuery({ ...voicemailSearchQuery(text), enabled: isWord })
  return (data?.voicemails ?? []).slice(0, VOICEMAILS_MAX).map((voicemail) => ({
    id: voicemail.id,
    icon: Voicemail,
    label: nameOf(voicemail, voicemail.from),
    detail: voicemail.transcription ?? undefined,
    open: () => goTo(voicemail.from),
    call: isDialable(voicemail.from) ? () => dialNumber(voicemail.from) : undefined,
  }))
}

function useOwnNumbers(text: string): Option[] {
  const { data: numbers = [] } = useQuery(numbersQuery())
  const navigate = useNavigate()
  if (text === '') return []
  return numbers
    .filter(
      ({ name, number }) =>
        isIn(text, name) || (withoutSeparators(text) !== '' && number.includes(withoutSeparators(text))),
    )
    .map(({ id, name, number }) => ({
      id,
      icon: Hash,
      label: name,
      detail: readablePhone(number),
      open: () => void navigate({ to: '/numbers/$id', params: { id } }),
    }))
}

function usePages(text: string): Option[] {
  const t = useTexts(shellTexts)
  const { data: session } = useQuery(sessionQuery())
  const navigate = useNavigate()
  return [...DAILY_ITEMS, ...setupItemsOf({ operator: session?.operator ?? false })]
    .filter(({ name }) => isIn(text, t[name]))
    .map(({ name, to, icon }) => ({ id: to, icon, label: t[name], open: () => void navigate({ to }) }))
}
