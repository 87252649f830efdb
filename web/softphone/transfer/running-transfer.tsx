import { type ReactNode, useId } from 'react'

import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ACTIVE_CALL_CHANGES, type ActiveCall, useContactName } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { transferTexts } from './texts.ts'
import { cancelledHere } from './untaken-notice.ts'

interface RunningTransferProps {
  call: ActiveCall['call']
  transfer: NonNullable<ActiveCall['transfer']>
  employees: ActiveCall['employees']
}

interface RunningOutsideProps {
  call: ActiveCall['call']
  transfer: NonNullable<ActiveCall['outside_transfer']>
}

/** Who talks to whom, who is on hold, and what each button will do. */
export function RunningTransfer({ call, transfer, employees }: RunningTransferProps) {
  const t = useTexts(transferTexts)
  const { transferTitle } = useTexts(phoneTexts)
  const customer = useNameOfCustomer(call)
  const { complete, cancel, merge } = useSteps({ call_id: call.id, transfer_id: transfer.id })
  const isLeaving = transfer.is_blind && transfer.state === 'ringing'
  // The target of a transfer is among the coworkers of its controller.
  const isMine = employees.some(({ id }) => id === transfer.to_employee.id)
  const coworker = isMine ? transfer.to_employee.name : transfer.from_employee.name
  const isConsulting = transfer.state === 'consulting'
  // While only the two employees talk, the customer is on hold, and the call is `answered`.
  const isThreeWay = isConsulting && call.state === 'bridged'
  const status = isThreeWay ? t.threeWay : isConsulting ? t.consulting : t.ringingAt
  return (
    <div role="group" aria-label={transferTitle} className="flex flex-col gap-3 rounded-xl border p-3">
      <div role="status" className="text-sm">
        <p className="font-semibold">{status(coworker)}</p>
        <p className="text-soft">{isThreeWay ? t.allHear(customer) : t.onHold(customer)}</p>
        {isLeaving && isMine && <p className="mt-1 text-soft">{t.blindNext(customer, coworker)}</p>}
      </div>
      {isConsulting && !isMine && (
        <Step step={complete} look="main" label={t.takeOver} hint={t.takeOverHint(customer, coworker)} />
      )}
      {isConsulting && isMine && !isThreeWay && (
        <>
          <Step step={complete} look="main" label={t.complete} hint={t.completeHint(customer, coworker)} />
          <Step step={merge} label={t.merge} hint={t.mergeHint(customer, coworker)} />
        </>
      )}
      {isThreeWay && isMine && (
        <Step step={complete} look="main" label={t.leave} hint={t.leaveHint(customer, coworker)} />
      )}
      {isMine && (
        <Step
          step={cancel}
          label={isThreeWay ? t.remove(coworker) : t.cancel}
          hint={(isConsulting ? t.removeHint : t.cancelHint)(customer, coworker)}
        />
      )}
    </div>
  )
}

/** A number outside is being called, and the employee leaves as soon as somebody answers. */
export function RunningOutsideTransfer({ call, transfer }: RunningOutsideProps) {
  const t = useTexts(transferTexts)
  const { transferTitle } = useTexts(phoneTexts)
  const customer = useNameOfCustomer(call)
  const readable = useReadableNumber()(transfer.number)
  const name = useContactName(transfer.number) ?? readable
  const path = { call_id: call.id, outside_transfer_id: transfer.id }
  const cancel = useChange(() => {
    cancelledHere(transfer.id)
    return answerOf(
      client.DELETE('/api/v1/calls/{call_id}/outside_transfers/{outside_transfer_id}', { params: { path } }),
    )
  }, ACTIVE_CALL_CHANGES)
  return (
    <div role="group" aria-label={transferTitle} className="flex flex-col gap-3 rounded-xl border p-3">
      <div role="status" className="text-sm">
        <p className="font-semibold">{t.callingOutside(name)}</p>
        <p className="text-soft">{t.onHold(customer)}</p>
        <p className="mt-1 text-soft">{t.outsideNext(customer, name)}</p>
      </div>
      <Step step={cancel} label={t.cancel} hint={t.cancelOutsideHint(customer, name)} />
    </div>
  )
}

function useNameOfCustomer({ direction, from, to }: ActiveCall['call']): string {
  const number = direction === 'inbound' ? from : to
  const readable = useReadableNumber()(number)
  return useContactName(number) ?? readable
}

function useSteps(path: { call_id: string; transfer_id: string }) {
  const complete = useChange(
    () =>
      answerOf(
        client.POST('/api/v1/calls/{call_id}/transfers/{transfer_id}/completion', { params: { path } }),
      ),
    ACTIVE_CALL_CHANGES,
  )
  const cancel = useChange(() => {
    cancelledHere(path.transfer_id)
    return answerOf(client.DELETE('/api/v1/calls/{call_id}/transfers/{transfer_id}', { params: { path } }))
  }, ACTIVE_CALL_CHANGES)
  const merge = useChange(
    () => answerOf(client.POST('/api/v1/calls/{call_id}/conference', { params: { path } })),
    ACTIVE_CALL_CHANGES,
  )
  return { complete, cancel, merge }
}

interface StepProps {
  step: { isPending: boolean; mutate(): void }
  look?: 'main'
  label: string
  /** What happens then. */
  hint: ReactNode
}

function Step({ step, look, label, hint }: StepProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <Button look={look} aria-describedby={id} disabled={step.isPending} onClick={() => step.mutate()}>
        {label}
      </Button>
      <p id={id} className="text-center text-xs text-soft">
        {hint}
      </p>
    </div>
  )
}
