/** Whether it can be texted and kept as a contact; a short code or a name cannot. */
export const isPhoneNumber = (text: string) => /^\+\d{7,15}$/.test(text)

/** Whether it can be called: short codes can. */
export const isDialable = (text: string) => /^\+?\d+$/.test(text)

/** A number as it is dialled, without what people put between its digits. */
export const withoutSeparators = (typed: string) => typed.replace(/[\s().-]/g, '')

/** `+45 78 90 01 00`: Danish numbers in pairs; others unchanged. */
export function readablePhone(phone: string): string {
  const danish = /^\+45(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(phone)
  return danish ? `+45 ${danish.slice(1).join(' ')}` : phone
}
