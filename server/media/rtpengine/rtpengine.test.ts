import { beforeAll, describe } from 'vitest'

import { mediaPortContract } from '../../../test/harness/sound/media-contract.ts'
import { openRtpenginePlane } from '../../../test/harness/sound/media-plane.ts'
import { type Rtpengine, startRtpengine } from '../../../test/harness/sound/rtpengine.ts'

describe('media through rtpengine', () => {
  let rtpengine: Rtpengine
  beforeAll(async () => {
    rtpengine = await startRtpengine()
  })

  mediaPortContract((options) => openRtpenginePlane([rtpengine], options))
})
