import type { CallRef } from '../../modules/calls/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { EmployeeLeg } from '../conversation/employee-leg.ts'
import type { InternalConversation } from '../internal/internal-conversation.ts'
import type { EmployeeCall } from '../port.ts'
import type { QueueWait } from '../ring/queue-wait.ts'

interface Entry {
  companyId: string
  /** The employee who placed the call. */
  dialling?: EmployeeLeg
  waiting?: QueueWait
  conversation?: Conversation
  internal?: InternalConversation
}

/** The live calls of this edge, each with the step it is in. */
export class EdgeCalls {
  readonly #calls = new Map<string, Entry>()
  readonly #emptied = new Set<() => void>()

  get size(): number {
    return this.#calls.size
  }

  /** Returns a function that removes the call. */
  add({ companyId, callId }: CallRef): () => void {
    this.#calls.set(callId, { companyId })
    return () => {
      this.#calls.delete(callId)
      if (this.#calls.size > 0) return
      for (const tell of this.#emptied) tell()
      this.#emptied.clear()
    }
  }

  waits({ callId }: CallRef, waiting: QueueWait): () => void {
    const entry = this.#calls.get(callId)
    if (entry) entry.waiting = waiting
    return () => {
      if (entry) delete entry.waiting
    }
  }

  dials({ callId }: CallRef, employee: EmployeeLeg): void {
    const entry = this.#calls.get(callId)
    if (entry) entry.dialling = employee
  }

  converses({ callId }: CallRef, conversation: Conversation): () => void {
    const entry = this.#calls.get(callId)
    if (entry) entry.conversation = conversation
    return () => {
      if (entry) delete entry.conversation
    }
  }

  callsCoworker({ callId }: CallRef, internal: InternalConversation): void {
    const entry = this.#calls.get(callId)
    if (entry) entry.internal = internal
  }

  waitingOf(callId: string): QueueWait | undefined {
    return this.#calls.get(callId)?.waiting
  }

  conversationOf(callId: string): Conversation | undefined {
    return this.#calls.get(callId)?.conversation
  }

  internalOf(callId: string): InternalConversation | undefined {
    return this.#calls.get(callId)?.internal
  }

  /** Of the customer whom an employee has. */
  conversationControlledBy(employeeId: string): Conversation | undefined {
    for (const { conversation } of this.#calls.values())
      if (conversation?.isControlledBy(employeeId)) return conversation
    return undefined
  }

  /** The newest answered call of an employee with a coworker. */
  internalCallWith(employeeId: string): string | undefined {
    return [...this.#calls].findLast(([, { internal }]) => internal?.isWith(employeeId))?.[0]
  }

  /** The call that an employee has in this dialog, or places in it. */
  callWith(employeeId: string, dialog: string): EmployeeCall | undefined {
    for (const [callId, { dialling, conversation, internal }] of this.#calls) {
      if (conversation?.hasDialog(employeeId, dialog)) return conversation.callOf(employeeId)
      if (internal?.hasDialog(employeeId, dialog)) return internal.callOf()
      if (dialling?.employeeId === employeeId && dialling.leg.call.hasDialog(dialog))
        return { id: encodeId('cal', callId), transfer: async (asked) => asked.refuse(603) }
    }
    return undefined
  }

  companies(): Set<string> {
    return new Set(Array.from(this.#calls.values(), ({ companyId }) => companyId))
  }

  countOf(companyId: string): number {
    let count = 0
    for (const entry of this.#calls.values()) if (entry.companyId === companyId) count++
    return count
  }

  employees(): string[] {
    const ids: string[] = []
    for (const { dialling, conversation, internal } of this.#calls.values()) {
      if (dialling) ids.push(dialling.employeeId)
      if (conversation) ids.push(...conversation.employees())
      if (internal) ids.push(...internal.employees())
    }
    return ids
  }

  /** Hangs up the phones of an employee, and does not wait for one that rings. */
  dismiss(employeeId: string): void {
    for (const { dialling, waiting, conversation, internal } of this.#calls.values()) {
      waiting?.stopRinging(employeeId)
      conversation?.dismiss(employeeId)
      internal?.dismiss(employeeId)
      if (dialling?.employeeId === employeeId) dialling.leg.hangUp()
    }
  }

  /** Hangs up on the customers of all conversations. */
  hangUp(): void {
    for (const { conversation } of this.#calls.values()) conversation?.hangUp()
  }

  *allWaiting(): Iterable<QueueWait> {
    for (const { waiting } of this.#calls.values()) if (waiting) yield waiting
  }

  whenEmpty(): Promise<void> {
    if (this.#calls.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#emptied.add(resolve))
  }
}
