/** Whether the desktop may be told of calls: asked on a click, as browsers want it. */
export type NoticePermission = NotificationPermission | 'unsupported'

export const noticePermission = (): NoticePermission =>
  'Notification' in window ? Notification.permission : 'unsupported'

export const askForNotices = (): Promise<NoticePermission> =>
  'Notification' in window ? Notification.requestPermission() : Promise.resolve('unsupported')

/** Says on the desktop that somebody calls; a click leads to the page. The returned function takes it away. */
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
    // Phones allow notices to service workers alone.
    return () => {}
  }
}
