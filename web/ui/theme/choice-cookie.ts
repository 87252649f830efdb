/** Long enough that nobody has to choose again. */
const KEPT_SECONDS = 365 * 24 * 60 * 60

/** Choices of the user at this browser. In cookies, because the server's own pages (sign-in, account) use them too. */
export function chosen(name: string): string | undefined {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  return pairs.find(([key]) => key === `bellhop_${name}`)?.[1]
}

export function forgetChoice(name: string): void {
  document.cookie = `bellhop_${name}=; path=/; max-age=0; samesite=lax`
}

export function keepChoice(name: string, value: string): void {
  document.cookie = `bellhop_${name}=${value}; path=/; max-age=${KEPT_SECONDS}; samesite=lax`
}
