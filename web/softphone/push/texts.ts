import { texts } from '../../i18n/language.tsx'

export const pushTexts = texts('push', {
  label: 'Ring when Bellhop is closed',
  hint: 'This browser shows you who calls, even if no tab has Bellhop open. A click opens it, and the call rings there.',
  blocked: 'The browser does not let Bellhop show notifications. Change that beside the address.',
  unsupported:
    'This browser cannot do that. Open Bellhop at its https address in Chrome, Edge or Firefox, or in Safari on a Mac.',
  failed: 'The browser could not reach its push service, so nothing has changed. Try again later.',
})
