/**
 * Connections that may wait to be accepted: when a process starts again, its clients come back within seconds. Those for
 * which there is no room are not refused, but are tried again by the client's system after one, three and seven seconds.
 * Linux allows `net.core.somaxconn`, which is 4,096 by default.
 */
export const ACCEPT_BACKLOG = 4_096
