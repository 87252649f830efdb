import { lazyAsync } from '../../../platform/lazy.ts'
import type { Synthesiser } from '../../../speech/port.ts'
import { defaultGreeting } from '../flow/default-greeting.ts'

/** A greeting is some 400 kB; an installation has numbers of a few countries. */
const GREETINGS_KEPT_MAX = 8

/**
 * Every new number has the same greeting, so it is synthesised once for each language, however many numbers are
 * added. Other texts are synthesised each time: timing must not reveal that another company has the same text.
 */
export function cacheGreetings(speaker: Pick<Synthesiser, 'speak'>): Pick<Synthesiser, 'speak'> {
  const greetings = new Map<string, () => Promise<Buffer>>()
  return {
    speak(request) {
      const { text, language } = request
      if (text !== defaultGreeting(language)) return speaker.speak(request)
      const greeting = greetings.get(language) ?? lazyAsync(() => speaker.speak(request))
      // The least recently used one is evicted first.
      greetings.delete(language)
      greetings.set(language, greeting)
      if (greetings.size > GREETINGS_KEPT_MAX) greetings.delete(greetings.keys().next().value!)
      return greeting()
    },
  }
}
