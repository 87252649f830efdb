import { useChange } from '../../api/change.ts'
import { type Contact, CONTACT_CHANGES, mergeContacts } from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { doubleTexts } from '../../i18n/doubles.ts'
import { useTexts } from '../../i18n/language.tsx'
import { TextArea } from '../../ui/field.tsx'
import { FormDialog, useInput } from '../../ui/form.tsx'

const FIELDS = ['name', 'email', 'company_name'] as const

/** What the merged contact is to have, where the contacts differ. */
export function MergeDialog({ contacts, onClose }: { contacts: Contact[]; onClose(): void }) {
  const t = useTexts(doubleTexts)
  const labels = useTexts(contactTexts)
  const valuesOf = (field: (typeof FIELDS)[number]) => [
    ...new Set(contacts.flatMap((contact) => contact[field] ?? [])),
  ]
  const { input, set, bind, isChanged } = useInput({
    id: contacts[0]!.id,
    name: valuesOf('name')[0] ?? '',
    email: valuesOf('email')[0] ?? '',
    company_name: valuesOf('company_name')[0] ?? '',
    note: [...new Set(contacts.flatMap(({ note }) => note ?? []))].join('\n\n'),
  })
  const merge = useChange(
    () => {
      const { id, ...values } = input
      const others = contacts.flatMap((contact) => (contact.id === id ? [] : contact.id))
      return mergeContacts(id, { contact_ids: others, ...values })
    },
    { touches: CONTACT_CHANGES, said: t.merged, onDone: onClose },
  )
  const names = { name: labels.name, email: labels.email, company_name: labels.company }
  return (
    <FormDialog
      title={t.mergeTitle}
      submit={t.merge}
      isPending={merge.isPending}
      isChanged={isChanged}
      onClose={onClose}
      onSubmit={() => merge.mutate()}
    >
      <p className="mb-4 text-soft">{t.hint}</p>
      {FIELDS.map((field) => (
        <Choice
          key={field}
          label={names[field]}
          value={input[field]}
          choices={valuesOf(field).map((value) => ({ value, label: value }))}
          onChoose={(value) => set({ [field]: value })}
        />
      ))}
      <Choice
        label={t.firstNumber}
        value={input.id}
        choices={contacts.map(({ id, phone_formatted }) => ({ value: id, label: phone_formatted }))}
        onChoose={(id) => set({ id })}
      />
      <TextArea label={labels.note} {...bind('note', merge.error)} />
    </FormDialog>
  )
}

interface ChoiceProps {
  label: string
  value: string
  choices: { value: string; label: string }[]
  onChoose(value: string): void
}

/** Only if there is something to choose. */
function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  if (choices.length < 2) return null
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-semibold">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="-mx-2 flex cursor-pointer items-center gap-2 rounded-lg px-2 py-1 hover:bg-hover"
        >
          <input
            type="radio"
            name={label}
            className="accent-accent"
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span className="min-w-0 break-words">{choice.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
