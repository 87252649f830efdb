/** `+45 78 90 01 00`: Danish numbers in pairs; others unchanged. */
export function readablePhone(phone: string): string {
  const danish = /^\+45(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(phone)
  return danish ? `+45 ${danish.slice(1).join(' ')}` : phone
}
