import { answerOf, client } from '../../api/client.ts'
import { readActiveCall, readInternalCallId } from '../queries.ts'
import type { SipAccount } from './sip-client.ts'
import type { CallToRejoin, KeptCall } from './state.ts'

/** What a reloaded page in the same tab needs to be the same phone; and settings of the browser. */
const NAMES = {
  account: 'bellhop.phone.account',
  call: 'bellhop.phone.call',
  microphone: 'bellhop.phone.microphone',
  speaker: 'bellhop.phone.speaker',
  isOff: 'bellhop.phone.off',
  isBeginning: 'bellhop.phone.beginning',
}

/** Before their time is over, other credentials are asked for. */
const LIMITS = { accountLeftMs: 10 * 60_000 }

export const isStillValid = (expiresAt: string) => Date.parse(expiresAt) - Date.now() > LIMITS.accountLeftMs

interface KeptAccount extends SipAccount {
  employeeId: string
  expiresAt: string
}

/** The credentials of this tab; new ones if there are none, they belong to another employee, or have expired. */
export async function accountOf(employeeId: string): Promise<SipAccount & { expiresAt: string }> {
  const kept = read(sessionStorage, NAMES.account) as KeptAccount | null
  if (kept?.employeeId === employeeId && isStillValid(kept.expiresAt)) return kept
  const made = await answerOf(client.POST('/api/v1/softphone_credentials', {}))
  const { username, password, domain, websocket_url: url, expires_at: expiresAt } = made
  const account = {
    employeeId,
    username,
    password,
    domain,
    url: reachable(url),
    expiresAt,
    instance: crypto.randomUUID(),
  }
  sessionStorage.setItem(NAMES.account, JSON.stringify(account))
  return account
}

/** A server without a configured URL knows only its local address: then the one we used counts. */
function reachable(url: string): string {
  const { hostname } = new URL(url)
  const isOwn = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return isOwn ? `${window.location.origin.replace(/^http/, 'ws')}/sip` : url
}

export const forgetAccount = () => sessionStorage.removeItem(NAMES.account)

// Shared by all tabs: one of them has the phone, and the call goes with it.
export const keepCall = (kept: KeptCall) => localStorage.setItem(NAMES.call, JSON.stringify(kept))
export const forgetCall = () => localStorage.removeItem(NAMES.call)

/** The call of this browser's phone, if the employee still has it. */
export async function callToRejoin(employeeId: string): Promise<CallToRejoin | undefined> {
  const kept = read(localStorage, NAMES.call) as KeptCall | null
  if (!kept) return undefined
  const active = (await readActiveCall())?.call.id ?? (await readInternalCallId(employeeId))
  if (active === undefined) throw new Error('whether there is a call is not known')
  const id = kept.call.id ?? active
  if (active && active === id) return { ...kept, call: { ...kept.call, id } }
  forgetCall()
  return undefined
}

/** A call that rings or is being dialled, which no other tab can take over; shown by the tabs without the phone. */
export const keepBeginning = (isBeginning: boolean) => keepFlag(NAMES.isBeginning, isBeginning)
export const isCallBeginning = () => localStorage.getItem(NAMES.isBeginning) === '1'

export function onOtherTabs(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

type Choice = 'microphone' | 'speaker'
export const chosenDevice = (choice: Choice) => localStorage.getItem(NAMES[choice])
export const keepDevice = (choice: Choice, id: string) => localStorage.setItem(NAMES[choice], id)

export const isSwitchedOff = () => localStorage.getItem(NAMES.isOff) === '1'
export const keepSwitchedOff = (isOff: boolean) => keepFlag(NAMES.isOff, isOff)

function keepFlag(name: string, isSet: boolean): void {
  if (isSet) localStorage.setItem(name, '1')
  else localStorage.removeItem(name)
}

function read(from: Storage, name: string): unknown {
  try {
    return JSON.parse(from.getItem(name) ?? 'null')
  } catch {
    // Kept by another release, or by hand: as good as nothing.
    return null
  }
}
