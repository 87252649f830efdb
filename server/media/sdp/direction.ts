import { type Attribute, hasAttribute } from './description.ts'

/** Who may send, seen from the side that describes it (RFC 3264 §5.1). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

const DIRECTIONS: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive']

export const sends = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly'
export const receives = (direction: Direction): boolean =>
  direction === 'sendrecv' || direction === 'recvonly'

export function directionOf(send: boolean, receive: boolean): Direction {
  if (send) return receive ? 'sendrecv' : 'sendonly'
  return receive ? 'recvonly' : 'inactive'
}

/** The same from the other side. */
export const reversed = (direction: Direction): Direction =>
  directionOf(receives(direction), sends(direction))

/** What both allow. */
export const narrowed = (a: Direction, b: Direction): Direction =>
  directionOf(sends(a) && sends(b), receives(a) && receives(b))

/** Of the line, else of the session; sendrecv by default. */
export function readDirection(line: Attribute[], session: Attribute[]): Direction {
  return firstOf(line) ?? firstOf(session) ?? 'sendrecv'
}

const firstOf = (attributes: Attribute[]) =>
  DIRECTIONS.find((direction) => hasAttribute(attributes, direction))
