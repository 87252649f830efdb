import { describe } from 'vitest'

import { mediaPortContract } from '../../../test/harness/sound/media-contract.ts'
import { openMediaPlane } from '../../../test/harness/sound/media-plane.ts'

describe('media in this thread', () => mediaPortContract(openMediaPlane))
