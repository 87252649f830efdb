import {
  encryptsMedia,
  type PhoneSettings,
  REGISTRATION_SECONDS,
  SUBSCRIPTION_SECONDS,
} from './phone-settings.ts'

/** transport_type: 0 UDP, 1 TCP, 2 TLS. */
const TRANSPORT = { udp: 0, tls: 2 }

/** A value ends with its line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/** The MAC-oriented CFG file (Yealink SIP IP Phones Administrator Guide, "Account Registration", "SRTP" and "Message Waiting Indicator"). */
export function yealinkConfig(settings: PhoneSettings): string {
  const { label, displayName, username, password, host, port, transport } = settings
  const account = {
    enable: 1,
    label: oneLine(label),
    display_name: oneLine(displayName),
    auth_name: username,
    user_name: username,
    password,
    'sip_server.1.address': host,
    'sip_server.1.port': port,
    'sip_server.1.transport_type': TRANSPORT[transport],
    'sip_server.1.expires': REGISTRATION_SECONDS,
    // 1: encrypted if the other side can.
    srtp_encryption: encryptsMedia(settings) ? 1 : 0,
    subscribe_mwi: 1,
    subscribe_mwi_expires: SUBSCRIPTION_SECONDS,
  }
  return [
    // The phone refuses a file without this first line.
    '#!version:1.0.0.1',
    ...Object.entries(account).map(([key, value]) => `account.1.${key} = ${value}`),
    '',
  ].join('\n')
}
