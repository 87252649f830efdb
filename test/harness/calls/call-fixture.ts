import { onTestFinished } from 'vitest'

import { startBaresip } from '../sip/baresip.ts'
import { openJssip } from '../sip/jssip.ts'
import { startTonePhone } from '../sip/tone-phone.ts'
import { type TestPbx, openTestPbx } from './test-pbx.ts'

export const ANNA_HZ = 440
export const BOB_HZ = 700
const passwords = { anna: 'open-sesame', bob: 'open-barley' }
const tones = { anna: ANNA_HZ, bob: BOB_HZ }
type Name = keyof typeof passwords

/** A PBX for one test, and the phones registered at it. */
export async function openParties() {
  const pbx = await openTestPbx(passwords)
  onTestFinished(() => pbx.close())
  return {
    pbx,
    browser: (user: Name) => browser(pbx, user),
    deskPhone: (user: Name) => deskPhone(pbx, user, { hz: tones[user] }),
    echoPhone: (user: Name) => deskPhone(pbx, user, { echoes: true }),
    tonePhone: (user: Name) => tonePhone(pbx, user),
  }
}

/** JsSIP in a page, over a WebSocket. */
function browser({ url }: TestPbx, user: Name) {
  return openJssip({ url, user, password: passwords[user], hz: tones[user] })
}

/** baresip, over UDP. It answers every call. */
async function deskPhone(
  { ports, registrations }: TestPbx,
  user: Name,
  voice: { hz: number } | { echoes: true },
) {
  const phone = await startBaresip({
    user,
    password: passwords[user],
    port: ports.udp,
    protocol: 'udp',
    answers: 'auto',
    ...voice,
  })
  onTestFinished(() => phone.stop())
  await registrations.take(({ binding }) => binding.username === user)
  let echoes = 0
  return {
    ...phone,
    dial: (callee: string) => phone.command('dial', `sip:${callee}@127.0.0.1:${ports.udp}`),
    /** Hold breaks the echo: baresip 1.0.0 resumes its audio source without reconnecting it to the received audio. */
    echoAgain(): void {
      const device = `aubridge,${++echoes}`
      for (const part of ['auplay', 'ausrc']) phone.command(part, device)
    },
    /** The next digit that the phone receives. */
    keyPressed: async () => (await phone.event('CALL_DTMF_START')).param,
  }
}

async function tonePhone({ ports, registrations }: TestPbx, user: Name) {
  const account = { user, password: passwords[user], port: ports.udp, hz: tones[user] }
  const phone = await startTonePhone(account)
  onTestFinished(() => phone.stop())
  await registrations.take(({ binding }) => binding.username === user)
  return phone
}
