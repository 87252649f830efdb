const EVENT = 'bellhop:dial'

/** For any page: opens the phone with this number. Does not load the softphone by itself. */
export const dialNumber = (number: string) =>
  window.dispatchEvent(new CustomEvent<string>(EVENT, { detail: number }))

export function onDialNumber(listener: (number: string) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<string>).detail)
  window.addEventListener(EVENT, heard)
  return () => window.removeEventListener(EVENT, heard)
}
