import { useQuery } from '@tanstack/react-query'
import { Phone as PhoneIcon } from 'lucide-react'
import { useState } from 'react'

import { useTexts } from '../../i18n/language.tsx'
import { ContactList } from '../../people/contact-list.tsx'
import { isAtEnd, useNumberFormat } from '../../people/number-format.ts'
import { useContactsFor } from '../../people/use-contacts.ts'
import { Button } from '../../ui/button.tsx'
import { INPUT } from '../../ui/field.tsx'
import { readablePhone, withoutSeparators } from '../../ui/phone.ts'
import type { Phone } from '../phone/phone.ts'
import { ownNumbersQuery } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { CoworkerList } from './coworker-list.tsx'
import { type Coworker, coworkersFor, useCoworkers } from './coworkers.ts'
import { FavouriteList } from './favourite-list.tsx'
import { FavouriteStar } from './favourite-star.tsx'
import { Keypad } from './keypad.tsx'
import { RecentList } from './recent-list.tsx'

interface DialPadProps {
  phone: Phone
  number: string
  setNumber(number: string): void
}

/** Dials, with one of the company's numbers as caller id. */
export function DialPad({ phone, number, setNumber }: DialPadProps) {
  const t = useTexts(phoneTexts)
  const { data: numbers = [] } = useQuery(ownNumbersQuery())
  const [chosen, choose] = useState<string>()
  const shown = numbers.find(({ id }) => id === chosen) ?? numbers[0]
  const coworkers = useCoworkers()
  const offered = coworkersFor(number, coworkers)
  const { contacts, only } = useContactsFor(number)
  const digits = withoutSeparators(number)
  const format = useNumberFormat()
  const isName = /\p{L}/u.test(number)
  // A name must mean one person; an extension always does.
  const coworker = isName
    ? offered.length === 1 && contacts.length === 0 && offered[0]
    : coworkers.find(({ extension }) => extension === digits)
  const callCoworker = ({ extension }: Coworker) => {
    void phone.dial(extension, null)
    setNumber('')
  }
  const callOutside = (to: string) => {
    void phone.dial(to, shown ?? null)
    setNumber('')
  }
  const contact = isName && offered.length === 0 ? only : undefined
  const cannotCall = digits === '' || (isName && !coworker && !contact)
  const dial = () => {
    if (cannotCall) return
    if (coworker) return callCoworker(coworker)
    callOutside(contact?.phone ?? digits)
  }
  return (
    <form
      className="flex flex-col gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        dial()
      }}
    >
      <input
        type="text"
        autoComplete="off"
        aria-label={t.number}
        placeholder={t.numberOrName}
        className={`${INPUT} h-10 text-lg`}
        value={number}
        onChange={({ target }) => setNumber(isAtEnd(target) ? format(target.value) : target.value)}
      />
      <CoworkerList coworkers={offered} onCall={callCoworker} />
      <ContactList
        contacts={contacts}
        onChoose={({ phone }) => callOutside(phone)}
        beside={({ phone, phone_formatted, name, company_name }) => (
          <FavouriteStar who={{ phone }} name={name ?? company_name ?? phone_formatted} />
        )}
      />
      {number === '' && (
        <>
          <FavouriteList onCall={callOutside} onCallCoworker={callCoworker} />
          <RecentList onCall={callOutside} />
        </>
      )}
      <Keypad onPress={(key) => setNumber(format(number + key))} />
      {numbers.length > 0 && (
        <label className="flex items-center gap-2 text-sm whitespace-nowrap">
          {t.showAs}
          <select
            className={`${INPUT} h-9`}
            value={shown?.id}
            onChange={(event) => choose(event.target.value)}
          >
            {numbers.map(({ id, name, number }) => (
              <option key={id} value={id}>
                {name} · {readablePhone(number)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Button look="main" type="submit" disabled={cannotCall}>
        <PhoneIcon size={16} />
        {t.call}
      </Button>
    </form>
  )
}
