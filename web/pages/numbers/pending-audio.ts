import type { BusinessNumber, Flow } from '../../api/numbers.ts'

/** Whether a prompt is still being synthesised. */
export const isAudioPending = (number: BusinessNumber): boolean =>
  [number.incoming_call_config, number.outside_business_hours_config, number.no_answer_config].some(
    (flow) => flow !== null && lacksSound(flow),
  )

function lacksSound(flow: Flow): boolean {
  switch (flow.type) {
    case 'TransferConfig':
      return false
    case 'VoicemailConfig':
      return flow.greeting_audio_url === null
    case 'RejectConfig':
      return flow.message_audio_url === null
    case 'WelcomeTransferConfig':
      return flow.welcome_audio_url === null
    case 'PhoneMenuConfig':
      return (
        flow.welcome_audio_url === null ||
        flow.menu_options.some(({ prompt, prompt_audio_url }) => prompt !== null && prompt_audio_url === null)
      )
  }
}
