const EVENT = 'bellhop:palette'

/** For any page. Does not load the palette by itself. */
export const openPalette = () => window.dispatchEvent(new CustomEvent(EVENT))

export function onOpenPalette(listener: () => void): () => void {
  window.addEventListener(EVENT, listener)
  return () => window.removeEventListener(EVENT, listener)
}
