declare module '@echogarden/espeak-ng-emscripten' {
  export interface Voice {
    /** 0 if the voice exists; otherwise the previous voice, or English, stays selected. */
    set_voice(name: string): number
    set_rate(wordsPerMinute: number): void
    /** The samples are 16-bit at 22,050 Hz; the callback returns true to stop the synthesis. */
    synthesize(text: string, onSamples: (samples: Int16Array | null) => boolean): void
  }
  export default function load(): Promise<{ eSpeakNGWorker: new () => Voice }>
}
