/** The limits of the media plane. */
export const MEDIA_LIMITS = {
  /**
   * After this long without a packet, not even RTCP, call control is notified that the remote party may be gone. Longer
   * than the interval of RTCP reports.
   */
  quietMs: 7_000,
  /** The same for a browser, whose ICE consent shows whether it is there, and which may reconnect. */
  browserQuietMs: 30_000,
  /** How long a leg stays unreported after a report, so that a participant who never sends is not probed all the time. */
  quietAgainMs: 30_000,
  /** How often a leg sends RTCP reports. */
  reportEveryMs: 5_000,
  /** How often a leg that only relays packets is checked: its reports, and whether the other side still sends. */
  idleLegMs: 100,
  /** Legs on a media thread before the next thread is started: 100 bridged calls, or about 42 % of a core. */
  threadLegsFull: 200,
  /** A media thread without legs for this long is ended, except the first one. */
  threadIdleMs: 60_000,
  /** The receive buffer of a UDP socket. */
  receiveBufferBytes: 1 << 20,
  /** Legs in one mix. */
  mixLegsMax: 64,
  /** A session description (SDP). */
  sdpCharactersMax: 65_536,
  /** Lines of a session description. */
  sdpLinesMax: 1_000,
  /** Media descriptions (m= lines) of a session description. */
  sdpMediaMax: 32,
  /** The duration of a DTMF digit. */
  dtmfToneMs: 100,
  /** The pause after a DTMF digit. */
  dtmfPauseMs: 60,
  /** How long the first digit that is heard as tones waits for one that is signalled. */
  inBandHoldMs: 1_000,
  /** The initial delay of the jitter buffer. */
  jitterStartMs: 60,
  /** The longest delay that the jitter buffer adds. */
  jitterDelayMsMax: 200,
  /** A larger jump in timestamps starts a new stream. Also the most that is ever buffered. */
  jitterJumpMs: 1_000,
  /** After this many late packets in a row, the jitter buffer restarts. */
  jitterLatePacketsMax: 3,
  /** This many frames must arrive in time before the delay is shortened by one frame. */
  jitterCalmFrames: 250,
  /** The delay is shortened only while at least this much is buffered. */
  jitterCalmMs: 80,
  /** A recording is written in pieces of this length: two writes a second per call. A crash loses up to one piece. */
  recordingGatherMs: 500,
  /** Audio that may wait for a slow disk before the recording is abandoned. */
  recordingWaitingMsMax: 60_000,
  /** Channels of a WAV file that is read. */
  wavChannelsMax: 8,
  /** The lowest sample rate of a WAV file that is read. */
  wavRateMin: 4_000,
  /** The highest sample rate of a WAV file that is read. */
  wavRateMax: 192_000,
  /** The length of a WAV file that is read. */
  wavSecondsMax: 3_600,
  /** An audio file that is played. */
  soundFileBytesMax: 64 * 1024 * 1024,
  /** Audio files that are cached in memory. */
  soundsKeptBytesMax: 64 * 1024 * 1024,
  /** Audio in memory that signalling shares with the thread of the media. */
  soundsSharedBytesMax: 32 * 1024 * 1024,
  /** Samples that are converted at a time, so that calls are not delayed. */
  soundSliceSamples: 2_000,
}
