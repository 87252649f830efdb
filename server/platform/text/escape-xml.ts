const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** For elements and quoted attributes alike. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
