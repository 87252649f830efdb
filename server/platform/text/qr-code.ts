import { encodeQR } from 'qr'

import { html, type Html } from '../http/html.ts'

/** Light modules around the symbol, without which readers do not find it. */
const QUIET_ZONE = 4
/** What the largest symbol has room for at this level of error correction (ISO/IEC 18004). */
const BYTES_MAX = 2_331

/** A QR code as an SVG; undefined for a text that no symbol holds. */
export function qrCode(text: string, { label }: { label: string }): Html | undefined {
  if (Buffer.byteLength(text) > BYTES_MAX) return undefined
  const modules = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE })
  const side = modules.length
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
  return html`<svg
    class="qr"
    viewBox="0 0 ${side} ${side}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${side}" height="${side}" fill="#fff" />
    <path d="${path.join('')}" fill="#000" />
  </svg>`
}
