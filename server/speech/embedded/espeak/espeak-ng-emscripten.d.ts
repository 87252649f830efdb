declare module '@echogarden/espeak-ng-emscripten' {
  export interface Voice {
    /** 0 when the voice exists; otherwise the voice before it, or English, goes on speaking. */
    set_voice(name: string): number
    set_rate(wordsPerMinute: number): void
    /** The samples are 16-bit at 22,050 Hz; the callback stops the voice by answering true. */
    synthesize(text: string, onSamples: (samples: Int16Array | null) => boolean): void
  }
  export default function load(): Promise<{ eSpeakNGWorker: new () => Voice }>
}
