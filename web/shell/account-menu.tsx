import {
  ChevronsUpDown,
  KeyRound,
  LogOut,
  Plug,
  ShieldCheck,
  Smartphone,
  SquareCode,
  UserRound,
} from 'lucide-react'
import { useState } from 'react'

import type { Session } from '../api/session.ts'
import { LANGUAGES, type Language, useLanguage, useTexts } from '../i18n/language.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { chooseSendKey, SEND_KEYS, useSendKey } from '../outbox/send-key.ts'
import { initialsOf } from '../people/avatar.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { chooseTheme, chosenTheme, THEMES } from '../ui/theme/theme.ts'

/** The signed-in employee and their account. */
export function AccountMenu({ session }: { session: Session }) {
  const t = useTexts(shellTexts)
  const { language, choose } = useLanguage()
  const sendKey = useSendKey(session.employee.id)
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
        >
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-ground text-xs font-bold text-accent"
          >
            {initialsOf(session.employee.name)}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-semibold">{session.employee.name}</span>
            <span className="block truncate text-xs text-soft">{session.company.name}</span>
          </span>
          <ChevronsUpDown size={15} className="text-soft" aria-hidden="true" />
        </button>
      }
    >
      <MenuItem to="/account">
        <UserRound size={16} /> {t.account}
      </MenuItem>
      <MenuItem to="/account/phones">
        <Smartphone size={16} /> {t.phones}
      </MenuItem>
      <MenuItem to="/account/two-factor">
        <ShieldCheck size={16} /> {t.security}
      </MenuItem>
      <MenuItem to="/account/api-keys">
        <KeyRound size={16} /> {t.apiKeys}
      </MenuItem>
      <MenuItem to="/account/connected-apps">
        <Plug size={16} /> {t.connectedApps}
      </MenuItem>
      <MenuItem href="/docs">
        <SquareCode size={16} /> {t.apiReference}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label={t.theme}
        value={theme}
        options={THEMES.map((name) => [name, t[name]] as const)}
        onChange={(next) => {
          chooseTheme(next)
          setTheme(next)
        }}
      />
      <MenuChoice
        label={t.language}
        value={language}
        options={Object.entries(LANGUAGES) as [Language, string][]}
        onChange={choose}
      />
      <MenuChoice
        label={t.sendTextsWith}
        value={sendKey}
        options={SEND_KEYS.map((key) => [key, t.sendKeys[key]] as const)}
        onChange={(key) => chooseSendKey(session.employee.id, key)}
      />
      <MenuSeparator />
      <MenuItem href="/sign-out">
        <LogOut size={16} /> {t.signOut}
      </MenuItem>
    </Menu>
  )
}
