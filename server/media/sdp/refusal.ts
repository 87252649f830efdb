/** Why a session description is refused. */
export type SdpRefusal =
  | 'malformed'
  | 'too_large'
  /** There is no audio line, or the answer refused ours. */
  | 'no_audio'
  /** Neither G.711 nor, where it may be used, Opus is among the codecs. */
  | 'no_codec'
  /** The address is missing, or a host name. */
  | 'no_address'
  /** An unsupported transport, or another than the one offered. */
  | 'protocol'
  /** Encryption is requested, but no supported suite is offered. */
  | 'no_crypto'
  | 'no_ice'
  /** A browser must give a fingerprint of SHA-256 or better, and keep it. */
  | 'no_fingerprint'
  | 'no_rtcp_mux'
  /** The other side insists on being the DTLS server. */
  | 'setup_role'

export type SdpResult<T> = ({ ok: true } & T) | { ok: false; why: SdpRefusal }

export const refuseSdp = (why: SdpRefusal): { ok: false; why: SdpRefusal } => ({ ok: false, why })
