import { html, type Html } from '../http/html.ts'
import { encode } from './codewords.ts'
import { draw } from './symbol.ts'

/** Light modules around the symbol, without which readers do not find it. */
const QUIET_ZONE = 4

/** A QR code as an SVG; undefined for a text of more than 666 bytes. */
export function qrCode(text: string, { label }: { label: string }): Html | undefined {
  const encoded = encode(text)
  if (!encoded) return undefined
  const modules = draw(encoded)
  const side = modules.length + 2 * QUIET_ZONE
  const path = modules.flatMap((row, y) =>
    row.map((dark, x) => (dark ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : '')),
  )
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
