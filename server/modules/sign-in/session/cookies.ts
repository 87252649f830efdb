type CookieName = 'session' | 'browser'

/**
 * Over https the names begin with `__Host-`: browsers then bind the cookie to this host and to https. Over plain http
 * browsers refuse that prefix, so the names have none on a developer's machine.
 */
export function createCookies({ secure }: { secure: boolean }) {
  const fullName = (name: CookieName) => `${secure ? '__Host-' : ''}bellhop_${name}`
  // Lax: a link from another site (an app that requests access) finds the employee signed in, but a form does not.
  const write = (name: CookieName, value: string, ageSeconds: number) =>
    `${fullName(name)}=${value}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read(header: string | undefined, name: CookieName): string | undefined {
      const start = `${fullName(name)}=`
      const found = header?.split(';').map((pair) => pair.trim())
      return found?.find((pair) => pair.startsWith(start))?.slice(start.length)
    },
    /** The value of Set-Cookie. */
    set: (name: CookieName, value: string, ageMs: number): string =>
      write(name, value, Math.floor(ageMs / 1000)),
    clear: (name: CookieName): string => write(name, '', 0),
    /** Readable by the dashboard, which then removes what it has kept in this browser. */
    announceSignOut: (ageMs: number): string =>
      `bellhop_signed_out=1; Path=/; Max-Age=${Math.floor(ageMs / 1000)}; SameSite=Lax${secure ? '; Secure' : ''}`,
  }
}

export type Cookies = ReturnType<typeof createCookies>
