import { setFlagsFromString } from 'node:v8'

/**
 * By default, the garbage collector lets the heap double before it collects the old generation, and a list of 100,000
 * contacts then leaves a hundred megabytes behind. With a growth of two fifths it is 26.
 *
 * V8 interprets a function until it has run many times, but most functions of a call run once in it. Sparkplug compiles
 * each before its first run, in about the time of that run (docs/decisions/0085-what-a-caller-waits-for.md).
 */
export const SERVICE_FLAGS = ['--heap-growing-percent=40', '--always-sparkplug']

/**
 * After the service has started: V8 refuses code that was compiled for other flags, so that with these it would compile
 * all that a start loads of Node.js itself again, in each thread.
 */
export function setServiceFlags(): void {
  for (const flag of SERVICE_FLAGS) setFlagsFromString(flag)
}
