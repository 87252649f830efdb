import {
  Activity,
  BookUser,
  Building2,
  Cable,
  Hash,
  Inbox,
  type LucideIcon,
  MessageSquareText,
  Phone,
  TextQuote,
  Users,
  Voicemail,
  Webhook,
} from 'lucide-react'

/** The targets of the navigation; each has the key of its text. */
export interface NavigationItem {
  name:
    | 'inbox'
    | 'calls'
    | 'voicemails'
    | 'contacts'
    | 'live'
    | 'employees'
    | 'numbers'
    | 'texting'
    | 'snippets'
    | 'webhooks'
    | 'company'
    | 'trunks'
  to: string
  icon: LucideIcon
}

export const DAILY_ITEMS: NavigationItem[] = [
  { name: 'inbox', to: '/inbox', icon: Inbox },
  { name: 'calls', to: '/calls', icon: Phone },
  { name: 'voicemails', to: '/voicemails', icon: Voicemail },
  { name: 'contacts', to: '/contacts', icon: BookUser },
  { name: 'live', to: '/live', icon: Activity },
]

const SETUP_ITEMS: NavigationItem[] = [
  { name: 'employees', to: '/employees', icon: Users },
  { name: 'numbers', to: '/numbers', icon: Hash },
  { name: 'texting', to: '/texting', icon: MessageSquareText },
  { name: 'snippets', to: '/snippets', icon: TextQuote },
  { name: 'webhooks', to: '/webhooks', icon: Webhook },
  { name: 'company', to: '/company', icon: Building2 },
]

/** For those who run the installation. */
const OPERATOR_ITEMS: NavigationItem[] = [{ name: 'trunks', to: '/trunks', icon: Cable }]

export const ALL_ITEMS = [...DAILY_ITEMS, ...SETUP_ITEMS, ...OPERATOR_ITEMS]

export const setupItemsOf = ({ operator }: { operator: boolean }): NavigationItem[] =>
  operator ? [...SETUP_ITEMS, ...OPERATOR_ITEMS] : SETUP_ITEMS
