import { escapeXml } from '../../../platform/text/escape-xml.ts'
import {
  encryptsMedia,
  type PhoneSettings,
  REGISTRATION_SECONDS,
  SUBSCRIPTION_SECONDS,
} from './phone-settings.ts'

/** Transport: 0 UDP, 1 TCP, 3 TLS. */
const TRANSPORT = { udp: 0, tls: 3 }

/** The XML of Fanvil's desk phones (Fanvil Auto Provision, "sip": line 1). */
export function fanvilConfig(settings: PhoneSettings): string {
  const { label, displayName, username, password, host, port, transport } = settings
  const line = {
    PhoneNumber: username,
    DisplayName: displayName,
    SipName: label,
    RegisterAddr: host,
    RegisterPort: port,
    RegisterUser: username,
    RegisterPswd: password,
    RegisterTTL: REGISTRATION_SECONDS,
    EnableReg: 1,
    Transport: TRANSPORT[transport],
    // 0 disabled, 1 optional.
    RTPEncryption: encryptsMedia(settings) ? 1 : 0,
    // For voicemails that wait; the mailbox is the account itself.
    Subscribe: 1,
    SubExpire: SUBSCRIPTION_SECONDS,
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<sysConf>',
    '  <Version>2.0000000000</Version>',
    '  <sip>',
    '    <line index="1">',
    ...Object.entries(line).map(([key, value]) => `      <${key}>${escapeXml(String(value))}</${key}>`),
    '    </line>',
    '  </sip>',
    '</sysConf>',
    '',
  ].join('\n')
}
