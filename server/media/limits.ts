/** The limits of the media plane. */
export const MEDIA_LIMITS = {
  /** Nothing has come for so long, not even RTCP: the other side may be gone, and call control is told. */
  quietMs: 30_000,
  /** How often a leg sends RTCP reports. */
  reportEveryMs: 5_000,
  /** The receive buffer of a UDP socket. */
  receiveBufferBytes: 1 << 20,
  /** Legs in one mix. */
  mixLegsMax: 64,
  /** An SDP description. */
  sdpCharactersMax: 65_536,
  /** The lines of an SDP description. */
  sdpLinesMax: 1_000,
  /** The media lines of an SDP description. */
  sdpMediaMax: 32,
  /** How long a DTMF key sounds. */
  dtmfToneMs: 100,
  /** The pause after a DTMF key. */
  dtmfPauseMs: 60,
  /** What the jitter buffer holds back at the beginning. */
  jitterStartMs: 60,
  /** The longest delay that the jitter buffer adds. */
  jitterDelayMsMax: 200,
  /** A packet further off than this begins a new stream; nor is more than this ever kept. */
  jitterJumpMs: 1_000,
  /** After so many late packets in a row the jitter buffer begins anew. */
  jitterLatePacketsMax: 3,
  /** So many frames must have come in time before the delay is shortened by one. */
  jitterCalmFrames: 250,
  /** The delay is shortened only while at least this much waits. */
  jitterCalmMs: 80,
  /**
   * A recording is written in pieces of this length: two writes a second for each call, and as much lost in a crash.
   */
  recordingGatherMs: 500,
  /** So much of a recording may wait for a slow disk, before it is given up. */
  recordingWaitingMsMax: 60_000,
  /** Channels of a WAV file that is read. */
  wavChannelsMax: 8,
  /** The lowest sample rate of a WAV file that is read. */
  wavRateMin: 4_000,
  /** The highest sample rate of a WAV file that is read. */
  wavRateMax: 192_000,
  /** The length of a WAV file that is read. */
  wavSecondsMax: 3_600,
  /** A sound file that is played. */
  soundFileBytesMax: 64 * 1024 * 1024,
  /** Sounds that are kept in memory. */
  soundsKeptBytesMax: 64 * 1024 * 1024,
  /** So many samples are converted at once; then calls get their turn. */
  soundSliceSamples: 2_000,
}
