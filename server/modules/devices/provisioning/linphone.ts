import { escapeXml } from '../../../platform/text/escape-xml.ts'
import { encryptsMedia, type PhoneSettings, REGISTRATION_SECONDS } from './phone-settings.ts'

type Entries = Record<string, string | number>

/** Remote provisioning: sections and keys of linphonerc as XML (liblinphone, "Provisioning configuration keys"). */
export function linphoneConfig(settings: PhoneSettings): string {
  const { displayName, username, password, host, port, transport } = settings
  const quoted = displayName.replace(/["\\]/g, '\\$&')
  const sections: Record<string, Entries> = {
    sip: {
      media_encryption: encryptsMedia(settings) ? 'srtp' : 'none',
      media_encryption_mandatory: 0,
      default_proxy: 0,
    },
    proxy_0: {
      reg_proxy: `<sip:${host}:${port};transport=${transport}>`,
      reg_identity: `"${quoted}" <sip:${username}@${host}>`,
      reg_expires: REGISTRATION_SECONDS,
      reg_sendregister: 1,
      publish: 0,
    },
    auth_info_0: { username, passwd: password, domain: host },
    // The link works once, so Linphone must forget it.
    misc: { transient_provisioning: 1 },
  }
  const written = Object.entries(sections)
    .map(([name, entries]) => section(name, entries))
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<config xmlns="http://www.linphone.org/xsds/lpconfig.xsd">
${written}</config>
`
}

function section(name: string, entries: Entries): string {
  const lines = Object.entries(entries).map(
    ([key, value]) => `    <entry name="${key}" overwrite="true">${escapeXml(String(value))}</entry>\n`,
  )
  return `  <section name="${name}">\n${lines.join('')}  </section>\n`
}
