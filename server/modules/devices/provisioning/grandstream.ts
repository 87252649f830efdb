import { escapeXml } from '../../../platform/text/escape-xml.ts'
import { encryptsMedia, type PhoneSettings, REGISTRATION_SECONDS } from './phone-settings.ts'

/** P130: 0 UDP, 1 TCP, 2 TLS. */
const TRANSPORT = { udp: 0, tls: 2 }

/** The XML of Grandstream's desk phones, whose settings are numbers (configuration template, account 1). */
export function grandstreamConfig(settings: PhoneSettings): string {
  const { label, displayName, username, password, host, port, transport } = settings
  const values = {
    /** Account active. */
    P271: 1,
    /** Account name. */
    P270: label,
    /** SIP server. */
    P47: `${host}:${port}`,
    /** SIP user ID. */
    P35: username,
    /** Authenticate ID. */
    P36: username,
    /** Authenticate password. */
    P34: password,
    /** Name. */
    P3: displayName,
    /** SIP registration. */
    P31: 1,
    /** Register expiration, in minutes. */
    P32: Math.ceil(REGISTRATION_SECONDS / 60),
    P130: TRANSPORT[transport],
    /** Subscribe for MWI. */
    P99: 1,
    /** SRTP mode: 0 disabled, 1 enabled but not forced. */
    P183: encryptsMedia(settings) ? 1 : 0,
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gs_provision version="1">',
    '  <config version="1">',
    ...Object.entries(values).map(([key, value]) => `    <${key}>${escapeXml(String(value))}</${key}>`),
    '  </config>',
    '</gs_provision>',
    '',
  ].join('\n')
}
