import { fanvilConfig } from './fanvil.ts'
import { grandstreamConfig } from './grandstream.ts'
import { linphoneConfig } from './linphone.ts'
import type { PhoneSettings } from './phone-settings.ts'
import { snomConfig } from './snom.ts'
import { yealinkConfig } from './yealink.ts'

interface Format {
  /** As people know it. */
  name: string
  type: string
  write(settings: PhoneSettings): string
  /** Of the files that a phone asks for, the one with its own settings; others are for all phones of a model. */
  ownFile: RegExp
}

const MAC = '[0-9a-f]{12}'
const XML = 'application/xml; charset=utf-8'

/** By their name in a link. */
export const FORMATS: Record<string, Format> = {
  linphone: { name: 'Linphone', type: XML, write: linphoneConfig, ownFile: /^$/ },
  yealink: {
    name: 'Yealink',
    type: 'text/plain; charset=utf-8',
    write: yealinkConfig,
    ownFile: new RegExp(`^(${MAC}\\.cfg)?$`, 'i'),
  },
  snom: {
    name: 'Snom',
    type: XML,
    write: snomConfig,
    ownFile: new RegExp(`^([\\w-]*${MAC}\\.(htm|xml))?$`, 'i'),
  },
  grandstream: {
    name: 'Grandstream',
    type: XML,
    write: grandstreamConfig,
    ownFile: new RegExp(`^(cfg${MAC}(\\.xml)?)?$`, 'i'),
  },
  fanvil: { name: 'Fanvil', type: XML, write: fanvilConfig, ownFile: new RegExp(`^(${MAC}\\.cfg)?$`, 'i') },
}

export function formatFor(name: string, file: string): Format | undefined {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  return format?.ownFile.test(file) ? format : undefined
}
