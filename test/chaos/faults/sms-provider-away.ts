import type { Fault } from './fault.ts'

/** The SMS provider refuses connections, fails, or accepts texts and never responds. */
export const smsProviderAway: Fault = {
  name: 'sms-provider-away',
  async run({ world: { provider }, chance, say, hold }) {
    const mood = chance.pick(['away', 'mute', 'failing'] as const)
    say(mood)
    await provider.setMood(mood)
    await hold(3_000, 15_000)
    await provider.setMood('well')
  },
}
