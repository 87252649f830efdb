/** What a phone needs to know to register; every format is written from it. */
export interface PhoneSettings {
  /** What the phone shows as its line. */
  label: string
  displayName: string
  username: string
  password: string
  host: string
  port: number
  transport: 'udp' | 'tls'
}

/** How often a phone renews its registration. */
export const REGISTRATION_SECONDS = 600

/** How often a phone renews its subscription to the state of its mailbox. */
export const SUBSCRIPTION_SECONDS = 3_600

/** Media is encrypted where keys are: without TLS everybody on the way could read them. */
export const encryptsMedia = ({ transport }: PhoneSettings): boolean => transport === 'tls'
