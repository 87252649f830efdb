import { texts } from '../../i18n/language.tsx'

export const playerTexts = texts(
  {
    play: 'Play',
    pause: 'Pause',
    position: 'Position',
    positionOf: (position: string, length: string) => `${position} of ${length}`,
    speed: (times: number) => `Speed: ${times}×`,
    skipSilence: 'Skip silence',
    download: 'Download',
  },
  {
    play: 'Afspil',
    pause: 'Pause',
    position: 'Position',
    positionOf: (position, length) => `${position} af ${length}`,
    speed: (times) => `Hastighed: ${times}×`,
    skipSilence: 'Spring pauser over',
    download: 'Hent',
  },
)
