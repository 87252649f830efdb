/** Why a description cannot become a call. */
export type SdpRefusal =
  | 'malformed'
  | 'too_large'
  /** There is no line for sound, or the answer refused ours. */
  | 'no_audio'
  /** Neither law of G.711 is among the codecs. */
  | 'no_codec'
  /** The address is missing, or a name instead of an address. */
  | 'no_address'
  /** A transport that is none of ours, or another than the one that was offered. */
  | 'protocol'
  /** Encryption is asked for, but in no way that is known here. */
  | 'no_crypto'
  | 'no_ice'
  /** A browser must prove its key by a fingerprint of sha-256 or better, and keep it. */
  | 'no_fingerprint'
  | 'no_rtcp_mux'
  /** The other side insists on being the server of DTLS. */
  | 'setup_role'

export type Read<T> = ({ ok: true } & T) | { ok: false; why: SdpRefusal }

export const refuse = (why: SdpRefusal): { ok: false; why: SdpRefusal } => ({ ok: false, why })
