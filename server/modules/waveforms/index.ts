export { deleteWaveform as forgetWaveform } from './queries.ts'
export { Waveform } from './schemas.ts'
export { createWaveforms, type Waveforms } from './waveforms.ts'
