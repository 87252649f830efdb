import type { Body } from '../../sip/index.ts'

export interface VoicemailCounts {
  new: number
  old: number
}

/** RFC 3842 §3.5: how many voicemails there are, for the lamp of a phone. */
export function messageSummary(account: string, counts: VoicemailCounts): Body {
  const lines = [
    `Messages-Waiting: ${counts.new > 0 ? 'yes' : 'no'}`,
    `Message-Account: ${account}`,
    `Voice-Message: ${counts.new}/${counts.old}`,
    '',
  ]
  return { contentType: 'application/simple-message-summary', bytes: Buffer.from(lines.join('\r\n')) }
}
