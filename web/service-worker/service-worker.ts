/** A call, as the server sends it (server/modules/push/call-alerts.ts), or the page shows it. */
interface Alert {
  call: string
  state: 'waiting' | 'over'
  title: string
  body: string
}

// What a service worker has beyond a page, as far as it is used here.
interface LastingEvent extends Event {
  waitUntil(done: Promise<unknown>): void
}
interface PushEvent extends LastingEvent {
  data: { json(): Alert } | null
}
interface NotificationClick extends LastingEvent {
  notification: Notification
}
interface Tab {
  visibilityState: DocumentVisibilityState
  focus(): Promise<unknown>
}
interface WorkerScope {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Tab[]>
    openWindow(path: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationClick) => void): void
}
const worker = self as unknown as WorkerScope

const tabs = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true })

async function show({ call, state, title, body }: Alert): Promise<void> {
  const isSeen = (await tabs()).some(({ visibilityState }) => visibilityState === 'visible')
  // A page that is visible rings itself. Otherwise browsers want something to be shown for every message.
  if (isSeen) return state === 'over' ? close(call) : undefined
  await worker.registration.showNotification(title, {
    body,
    tag: call,
    // A call that waits is shown until it no longer does. What became of it replaces it without a sound.
    requireInteraction: state === 'waiting',
    silent: state === 'over',
  })
}

async function close(call: string): Promise<void> {
  for (const shown of await worker.registration.getNotifications({ tag: call })) shown.close()
}

async function openDashboard(): Promise<void> {
  const [tab] = await tabs()
  await (tab ? tab.focus() : worker.clients.openWindow('/inbox'))
}

// A new version has nothing to wait for: no page depends on it.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openDashboard())
})
