import { z } from 'zod'

export const Silence = z.object({ start_ms: z.int(), end_ms: z.int() })
export type Silence = z.output<typeof Silence>

export const Waveform = z
  .object({
    duration_ms: z.int(),
    peaks: z
      .array(z.int())
      .meta({ description: 'How loud it is, in equal parts from beginning to end; the loudest is 100.' }),
    silences: z.array(Silence).meta({ description: 'Where nobody speaks for a while.' }),
  })
  .meta({ id: 'Waveform' })
export type Waveform = z.output<typeof Waveform>
