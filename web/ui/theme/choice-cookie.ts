/** Long enough that nobody chooses twice. */
const KEPT_SECONDS = 365 * 24 * 60 * 60

/** What a person chose at this browser. In cookies, for the server's own pages (signing in, the account) follow it too. */
export function chosen(name: string): string | undefined {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  return pairs.find(([key]) => key === `bellhop_${name}`)?.[1]
}

export function keepChoice(name: string, value: string): void {
  document.cookie = `bellhop_${name}=${value}; path=/; max-age=${KEPT_SECONDS}; samesite=lax`
}
