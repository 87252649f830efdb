/** The one scope there is. `web` stands for our own pages, which have sessions, and is granted to nobody. */
export const SCOPE = 'api'
