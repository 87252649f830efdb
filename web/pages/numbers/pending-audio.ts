import type { BusinessNumber, Flow } from '../../api/numbers.ts'

/** Whether a prompt is still being synthesised. */
export const isAudioPending = (number: BusinessNumber): boolean =>
  [number.incoming_call_config, number.outside_business_hours_config, number.no_answer_config].some(
    (flow) => flow !== null && lacksAudio(flow),
  )

const lacksAudio = (flow: Flow): boolean =>
  lacksOwnAudio(flow) || (flow.type === 'PhoneMenuConfig' && flow.menu_options.some(lacksOwnAudio))

/** The API puts the audio of every text beside it: `welcome` and `welcome_audio_url`. */
function lacksOwnAudio(step: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(step))
  return [...fields].some(
    ([name, value]) => typeof value === 'string' && fields.get(`${name}_audio_url`) === null,
  )
}
