import { Link } from '@tanstack/react-router'
import { MessageSquare, PhoneIncoming, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'

import { useChange } from '../api/change.ts'
import {
  dismissOnboarding,
  type Onboarding,
  type OnboardingStep,
  simulateCall,
  simulateText,
} from '../api/onboarding.ts'
import { useTexts } from '../i18n/language.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { AddNumber } from './add-number.tsx'
import { FirstCallChecks } from './first-call-checks.tsx'
import { StepRow } from './step-row.tsx'
import { onboardingTexts } from './texts.ts'

const EmployeeForm = lazy(async () => ({
  default: (await import('../pages/employees/employee-form.tsx')).EmployeeForm,
}))

/** For newcomers: what to try, and what of it has happened. */
export default function FirstSteps({ onboarding }: { onboarding: Onboarding }) {
  const t = useTexts(onboardingTexts)
  const { demo, number, steps } = onboarding
  const dismiss = useChange(dismissOnboarding, { touches: [['onboarding']], said: t.dismissed })
  const done = steps.filter((step) => step.done).length
  // Without a number, nobody can call or write.
  const ordered = number ? steps : steps.toSorted((a, b) => rank(a.step) - rank(b.step))
  const next = ordered.find((step) => !step.done)?.step
  return (
    <section aria-label={t.title} className="overflow-hidden rounded-2xl border bg-surface shadow-float">
      <header className="px-4 pt-4 md:px-5">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="text-lg font-semibold tracking-tight">{t.title}</h2>
            <p className="text-sm text-soft">{t.lead}</p>
          </div>
          <IconButton
            label={t.dismiss}
            className="-mt-1 -mr-1.5"
            disabled={dismiss.isPending}
            onClick={() => dismiss.mutate()}
          >
            <X size={18} />
          </IconButton>
        </div>
        <div className="mt-3 mb-1 flex items-center gap-3">
          <div aria-hidden="true" className="h-1.5 flex-1 overflow-hidden rounded-full bg-hover">
            <div
              className="h-full rounded-full bg-accent motion-safe:transition-[width] motion-safe:duration-500"
              style={{ width: `${(100 * done) / steps.length}%` }}
            />
          </div>
          <p aria-live="polite" className="text-sm text-soft tabular-nums">
            {t.progress(done, steps.length)}
          </p>
        </div>
      </header>
      <ul className="divide-y">
        {ordered.map(({ step, done }) => (
          <Step key={step} step={step} isDone={done} isNext={step === next} onboarding={onboarding} />
        ))}
      </ul>
      {!demo && <FirstCallChecks />}
    </section>
  )
}

const rank = (step: OnboardingStep) => (step === 'add_number' ? 0 : 1)

interface Progress {
  isDone: boolean
  isNext: boolean
}

interface StepProps extends Progress {
  step: OnboardingStep
  onboarding: Onboarding
}

function Step({ step, onboarding, ...progress }: StepProps): ReactNode {
  const t = useTexts(onboardingTexts)
  switch (step) {
    case 'receive_call':
      return <ReceiveCall onboarding={onboarding} {...progress} />
    case 'receive_text':
      return <ReceiveText onboarding={onboarding} {...progress} />
    case 'add_number':
      return <OwnNumber {...progress} />
    case 'invite_colleague':
      return <Invite {...progress} />
    case 'connect_phone':
      return (
        <StepRow title={t.connect_phone} hint={t.connectHint} {...progress}>
          <Link to="/account/$" params={{ _splat: 'phones' }} className={buttonClass({ size: 'small' })}>
            {t.connect}
          </Link>
        </StepRow>
      )
  }
}

function ReceiveCall({ onboarding, ...progress }: Omit<StepProps, 'step'>) {
  const t = useTexts(onboardingTexts)
  const { number, simulated_calls } = onboarding
  const call = useChange(simulateCall, { touches: [], said: t.ringing })
  const real = number ? t.realCall(number.number_formatted) : t.noNumberYet
  const isSimulated = simulated_calls && number !== null
  return (
    <StepRow title={t.receive_call} hint={isSimulated ? t.simulatedCall : real} {...progress}>
      {isSimulated && (
        <Button size="small" look="main" disabled={call.isPending} onClick={() => call.mutate()}>
          <PhoneIncoming size={15} aria-hidden="true" /> {t.callMe}
        </Button>
      )}
    </StepRow>
  )
}

function ReceiveText({ onboarding, ...progress }: Omit<StepProps, 'step'>) {
  const t = useTexts(onboardingTexts)
  const { number_for_texts: number, simulated_texts } = onboarding
  const text = useChange(simulateText, { touches: [['onboarding']], said: t.texting })
  const real = number ? t.realText(number.number_formatted) : t.noTextNumber
  const isSimulated = simulated_texts && number !== null
  return (
    <StepRow title={t.receive_text} hint={isSimulated ? t.simulatedText : real} {...progress}>
      {isSimulated && (
        <Button size="small" disabled={text.isPending} onClick={() => text.mutate()}>
          <MessageSquare size={15} aria-hidden="true" /> {t.textMe}
        </Button>
      )}
    </StepRow>
  )
}

function OwnNumber(progress: Progress) {
  const t = useTexts(onboardingTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <StepRow title={t.add_number} hint={t.addNumberHint} {...progress}>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t.addNumberHow}
      </Button>
      {isOpen && <AddNumber onClose={() => setIsOpen(false)} />}
    </StepRow>
  )
}

function Invite(progress: Progress) {
  const t = useTexts(onboardingTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <StepRow title={t.invite_colleague} hint={t.inviteHint} {...progress}>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t.invite}
      </Button>
      {isOpen && (
        <Suspense>
          <EmployeeForm onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </StepRow>
  )
}
