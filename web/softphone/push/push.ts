import { readPushKey, removeSubscription, storeSubscription } from '../../api/push.ts'
import type { Language } from '../../i18n/language.tsx'

/** Whether this browser rings although no tab of it has Bellhop open. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on'

const WORKER = '/service-worker.js'
const KEPT_AS = 'bellhop.push'

/** Who has switched it on in this browser. Browsers themselves do not know whom they are subscribed for. */
interface KeptSubscription {
  employeeId: string
  id: string
}

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registrationOf = () => navigator.serviceWorker.getRegistration('/')

const subscriptionOf = async () => (await registrationOf())?.pushManager.getSubscription()

export async function pushStateOf(employeeId: string): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isOwn = kept()?.employeeId === employeeId
  return isOwn && Notification.permission === 'granted' && (await subscriptionOf()) ? 'on' : 'off'
}

/** Asks for permission, so it must come from a click. Throws if the push service or Bellhop cannot be reached. */
export async function switchPushOn(employeeId: string, language: Language): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission === 'denied') return 'blocked'
  if (permission === 'default') return 'off'
  await subscribe(employeeId, language)
  return 'on'
}

export async function switchPushOff(): Promise<PushState> {
  const id = kept()?.id
  await forget()
  if (id) await removeSubscription(id)
  return 'off'
}

/**
 * Keeps what is switched on alive: the session may be new, the language another, the subscription expired. What
 * somebody else has switched on in this browser is ended.
 */
export async function renewPush(employeeId: string, language: Language): Promise<void> {
  const known = isSupported() ? kept() : undefined
  if (!known) return
  if (known.employeeId !== employeeId) return forget()
  if (Notification.permission !== 'granted') await switchPushOff()
  else await subscribe(employeeId, language)
}

async function subscribe(employeeId: string, language: Language): Promise<void> {
  const key = await readPushKey()
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  const isCurrent = known && textOf(known.options.applicationServerKey) === key
  if (known && !isCurrent) await known.unsubscribe()
  const subscription = isCurrent
    ? known
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const id = await storeSubscription(subscription, language)
  localStorage.setItem(KEPT_AS, JSON.stringify({ employeeId, id } satisfies KeptSubscription))
}

async function forget(): Promise<void> {
  localStorage.removeItem(KEPT_AS)
  await (await subscriptionOf())?.unsubscribe()
}

function kept(): KeptSubscription | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null') ?? undefined
  } catch {
    // Kept by another release, or by hand: as good as nothing.
    return undefined
  }
}

/** base64url, as the server gives the key. */
function textOf(key: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
