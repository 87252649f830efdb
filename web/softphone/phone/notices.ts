/** The permission for desktop notifications: requested on a click, as browsers require. */
export type NoticePermission = NotificationPermission | 'unsupported'

export const noticePermission = (): NoticePermission =>
  'Notification' in window ? Notification.permission : 'unsupported'

export const askForNotices = (): Promise<NoticePermission> =>
  'Notification' in window ? Notification.requestPermission() : Promise.resolve('unsupported')

/** Shows a desktop notification of a call; a click opens the page. Returns a function that removes it. */
export function showNotice(title: string, body: string): () => void {
  if (noticePermission() !== 'granted') return () => {}
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
