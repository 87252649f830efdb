/** The permission for desktop notifications: requested on a click, as browsers require. */
export type NotificationState = NotificationPermission | 'unsupported'

export const notificationState = (): NotificationState =>
  'Notification' in window ? Notification.permission : 'unsupported'

export const requestNotifications = (): Promise<NotificationState> =>
  'Notification' in window ? Notification.requestPermission() : Promise.resolve('unsupported')

/** Shows a desktop notification of a call; a click opens the page. Returns a function that removes it. */
export function showNotification(title: string, body: string): () => void {
  if (notificationState() !== 'granted') return () => {}
  try {
    const notice = new Notification(title, { body, tag: 'bellhop.call', requireInteraction: true })
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
