import type { LegId, TaskId } from '../port.ts'

/** What needs the sound of legs in this process: tasks, and what is about to begin. */
export function createUses() {
  const ofLegs = new Map<LegId, Set<unknown>>()
  const legOfTask = new Map<TaskId, LegId>()

  function add(leg: LegId, use: unknown): void {
    const uses = ofLegs.get(leg) ?? new Set()
    ofLegs.set(leg, uses.add(use))
  }

  function remove(leg: LegId, use: unknown): void {
    const uses = ofLegs.get(leg)
    if (uses?.delete(use) && uses.size === 0) ofLegs.delete(leg)
  }

  return {
    /** Until the returned function is called. */
    hold(leg: LegId): () => void {
      const use = Symbol('use')
      add(leg, use)
      return () => remove(leg, use)
    },
    begin(leg: LegId, task: TaskId): void {
      legOfTask.set(task, leg)
      add(leg, task)
    },
    /** False if it is not known. */
    end(task: TaskId): boolean {
      const leg = legOfTask.get(task)
      if (leg !== undefined) remove(leg, task)
      return legOfTask.delete(task)
    },
    areFree: (legs: LegId[]): boolean => legs.every((leg) => !ofLegs.has(leg)),
  }
}

export type Uses = ReturnType<typeof createUses>
