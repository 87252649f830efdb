import { type ComponentProps, type ReactNode, useId } from 'react'

/** Of any width; most inputs fill their container. */
export const NARROW_INPUT =
  'rounded-lg border bg-surface px-3 py-1.5 text-ink placeholder:text-soft hover:border-line-strong disabled:opacity-60 aria-invalid:border-wrong'

export const INPUT = `w-full ${NARROW_INPUT}`

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string
}

interface Described {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** A label above, and a hint or an error below; `children` renders the input with the attributes that link them. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { children(props: Described): ReactNode }) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-wrong">
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <input className={`${INPUT} h-9`} {...rest} {...props} />}
    </Field>
  )
}

export function TextArea({ label, hint, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <textarea className={`${INPUT} min-h-20`} rows={3} {...rest} {...props} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...rest
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <select className={`${INPUT} h-9`} {...rest} {...props}>
          {children}
        </select>
      )}
    </Field>
  )
}

interface SwitchFieldProps {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
}

export function SwitchField({ label, hint, checked, disabled, onChange }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="mb-4 flex items-start gap-3">
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className="mt-0.5 h-5 w-9 shrink-0 rounded-full border border-line-strong bg-hover p-px transition-colors aria-checked:border-accent aria-checked:bg-accent disabled:opacity-50"
      >
        <span
          className={`block size-4 rounded-full shadow transition-transform ${checked ? 'translate-x-4 bg-on-accent' : 'bg-line-strong'}`}
        />
      </button>
      <div>
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
