/** A run of packets that we generate, numbered from its beginning. */
export interface PacketSequence {
  sequence: number
  timestamp: number
}

export const newPacketSequence = (): PacketSequence => ({ sequence: 0, timestamp: 0 })
