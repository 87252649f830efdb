import {
  Activity,
  BookUser,
  Building2,
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

export const SETUP_ITEMS: NavigationItem[] = [
  { name: 'employees', to: '/employees', icon: Users },
  { name: 'numbers', to: '/numbers', icon: Hash },
  { name: 'texting', to: '/texting', icon: MessageSquareText },
  { name: 'snippets', to: '/snippets', icon: TextQuote },
  { name: 'webhooks', to: '/webhooks', icon: Webhook },
  { name: 'company', to: '/company', icon: Building2 },
]
