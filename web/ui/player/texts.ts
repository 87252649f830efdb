import { texts } from '../../i18n/language.tsx'

export const playerTexts = texts('player', {
  play: 'Play',
  pause: 'Pause',
  position: 'Position',
  positionOf: (position: string, length: string) => `${position} of ${length}`,
  speed: (times: number) => `Speed: ${times}×`,
  skipSilence: 'Skip silence',
  download: 'Download',
})
