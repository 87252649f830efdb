import { meanPower } from './goertzel.ts'

/** Quieter than this is silence: −45 dBm0. */
const SOUND_POWER_MIN = 15_000

/** Whether nobody is heard in a frame. */
export const isSilent = (frame: Int16Array): boolean => meanPower(frame) < SOUND_POWER_MIN
