import { escapeXml } from '../../../platform/text/escape-xml.ts'
import { encryptsMedia, type PhoneSettings, REGISTRATION_SECONDS } from './phone-settings.ts'

/** The XML of Snom's desk phones (Snom Service Hub, "Settings": identity 1). */
export function snomConfig(settings: PhoneSettings): string {
  const { label, displayName, username, password, host, port, transport } = settings
  const encrypted = encryptsMedia(settings)
  const identity = {
    user_active: 'on',
    user_realname: displayName,
    user_idle_text: label,
    user_name: username,
    user_pname: username,
    user_pass: password,
    user_host: host,
    user_outbound: `sip:${host}:${port};transport=${transport}`,
    user_expiry: REGISTRATION_SECONDS,
    // The phone subscribes to its message summary.
    user_mailbox: username,
    user_srtp: encrypted ? 'on' : 'off',
    user_savp: encrypted ? 'optional' : 'off',
  }
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<settings>',
    '  <phone-settings e="2">',
    ...Object.entries(identity).map(
      ([key, value]) => `    <${key} idx="1" perm="">${escapeXml(String(value))}</${key}>`,
    ),
    '  </phone-settings>',
    '</settings>',
    '',
  ].join('\n')
}
