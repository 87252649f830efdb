/** The permission for desktop notifications: requested on a click, as browsers require. */
export type NotificationState = NotificationPermission | 'unsupported'

export const notificationState = (): NotificationState =>
  'Notification' in window ? Notification.permission : 'unsupported'

export const requestNotifications = (): Promise<NotificationState> =>
  'Notification' in window ? Notification.requestPermission() : Promise.resolve('unsupported')

interface CallNotification {
  title: string
  body: string
  /** Replaces the one of the same call that was pushed to the browser, if it shows both. */
  tag: string
}

/** Shows a desktop notification of a call; a click opens the page. Returns a function that removes it. */
export function showNotification({ title, ...options }: CallNotification): () => void {
  if (notificationState() !== 'granted') return () => {}
  const shown = show(title, { ...options, requireInteraction: true })
  return () => void shown.then((close) => close())
}

async function show(title: string, options: NotificationOptions & { tag: string }): Promise<() => void> {
  const worker = await navigator.serviceWorker?.getRegistration('/')
  if (worker) {
    await worker.showNotification(title, options)
    return () =>
      void worker.getNotifications({ tag: options.tag }).then((all) => {
        for (const one of all) one.close()
      })
  }
  try {
    const notice = new Notification(title, options)
    notice.addEventListener('click', () => {
      window.focus()
      notice.close()
    })
    return () => notice.close()
  } catch {
    // Mobile browsers allow notifications only from service workers.
    return () => {}
  }
}
