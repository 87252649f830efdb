import type { StoredFlow } from '../../modules/numbers/index.ts'
import type { FlowCall, FlowEnd, FlowMode } from './flow-call.ts'
import { runMenu } from './menu.ts'
import { playMessage } from './play-message.ts'
import { say } from './say.ts'
import { transfer } from './transfer.ts'
import { takeVoicemail } from './voicemail.ts'

/** What a number does with a call, to its end. Throws `CustomerGone` when the caller hangs up on the way. */
export async function runFlow(call: FlowCall, flow: StoredFlow, mode: FlowMode): Promise<FlowEnd> {
  switch (flow.type) {
    case 'TransferConfig':
      return transfer(call, flow.employee_ids, mode)
    case 'WelcomeTransferConfig':
      await say(call, flow.welcome)
      return transfer(call, flow.employee_ids, mode)
    case 'RejectConfig':
      await playMessage(call, flow.message)
      return 'rejected'
    case 'VoicemailConfig':
      return takeVoicemail(call, flow.greeting)
    case 'PhoneMenuConfig':
      return runMenu(call, flow, mode)
  }
}
