import type { StoredFlow } from '../../modules/numbers/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type FlowCall, type FlowEnd, type FlowMode, requireCaller } from './flow-call.ts'
import { playMessage } from './play-message.ts'
import { say } from './say.ts'
import { runTransferStep } from './transfer-step.ts'
import { takeVoicemail } from './voicemail.ts'

type Menu = Extract<StoredFlow, { type: 'PhoneMenuConfig' }>
type Option = Menu['menu_options'][number]

/** The caller chooses with a DTMF digit, and is asked again a few times. */
export async function runMenu(call: FlowCall, menu: Menu, mode: FlowMode): Promise<FlowEnd> {
  for (let prompt = 0; prompt < TELEPHONY_LIMITS.menuPrompts; prompt++) {
    const digit = await ask(call, menu.welcome)
    const option = menu.menu_options.find((each) => each.digit === digit)
    if (option) return choose(call, option, mode)
  }
  return 'no_choice_made'
}

function choose(call: FlowCall, option: Option, mode: FlowMode): Promise<FlowEnd> {
  switch (option.action_type) {
    case 'TransferConfig':
      return runTransferStep(call, option.employee_ids, mode)
    case 'WelcomeTransferConfig':
      return say(call, option.prompt).then(() => runTransferStep(call, option.employee_ids, mode))
    case 'VoicemailConfig':
      return takeVoicemail(call, option.prompt)
    case 'PlayMessageConfig':
      return playMessage(call, option.prompt).then(() => 'message_played')
  }
}

/** The digit pressed during the prompt or soon after it. */
async function ask(call: FlowCall, text: string): Promise<string | undefined> {
  const { sounds, edge } = call.parts
  const collecting = await sounds.collect(call.customer.sound, {
    count: 1,
    firstDigitMs: A_LONG_TIME_MS,
    nextDigitMs: A_LONG_TIME_MS,
  })
  const why = await say(call, text, { untilDigit: true })
  const stopTimer =
    why === 'digit' ? () => {} : edge.clock.after(TELEPHONY_LIMITS.menuPatienceMs, () => collecting.stop())
  const { digits } = await collecting.ended
  stopTimer()
  requireCaller(call)
  return digits === '' ? undefined : digits
}

/** Longer than any menu: the call's own clock ends the wait. */
const A_LONG_TIME_MS = 60 * 60_000
