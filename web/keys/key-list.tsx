import { Fragment } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { keyTexts } from './texts.ts'

const GROUPS = {
  anywhere: [
    { keys: ['Ctrl', 'K'], does: 'palette' },
    { keys: ['/'], does: 'search' },
    { keys: ['j'], does: 'next' },
    { keys: ['k'], does: 'previous' },
    { keys: ['?'], does: 'list' },
  ],
  inbox: [
    { keys: ['e'], does: 'done' },
    { keys: ['s'], does: 'snooze' },
    { keys: ['a'], does: 'assign' },
    { keys: ['n'], does: 'note' },
  ],
  text: [
    { keys: ['Enter'], does: 'send' },
    { keys: ['Shift', 'Enter'], does: 'newLine' },
  ],
  phone: [
    { keys: ['Alt', 'Shift', 'A'], does: 'answer' },
    { keys: ['Alt', 'Shift', 'H'], does: 'hangUp' },
    { keys: ['Alt', 'Shift', 'M'], does: 'mute' },
    { keys: ['Alt', 'Shift', 'O'], does: 'hold' },
    { keys: ['1', '…', '5'], does: 'outcome' },
  ],
} as const

export function KeyList({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useTexts(keyTexts)
  const nameOf = (key: string) => (key === 'Ctrl' || key === 'Shift' ? t.keys[key] : key)
  return (
    <Dialog open={open} onClose={onClose} title={t.title}>
      {(['anywhere', 'inbox', 'text', 'phone'] as const).map((group) => (
        <section key={group} className="mb-4 last:mb-0">
          <h3 className="mb-1 text-xs font-semibold text-soft">{t[group]}</h3>
          <dl className="grid grid-cols-[1fr_auto] gap-y-2 text-sm">
            {GROUPS[group].map(({ keys, does }) => (
              <Fragment key={does}>
                <dt>{t[does]}</dt>
                <dd className="flex justify-end gap-1">
                  {keys.map((key) => (
                    <kbd key={key} className="rounded-md border bg-ground px-1.5 font-sans text-xs leading-5">
                      {nameOf(key)}
                    </kbd>
                  ))}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
