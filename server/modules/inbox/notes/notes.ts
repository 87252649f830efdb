import { publishToCompany } from '../../../live.ts'
import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { AppError, fail, fieldError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { keepEmployees } from '../../employees/index.ts'
import { phoneOf, viewOf } from '../open-view.ts'
import {
  deleteNoteRow,
  insertNote,
  selectNoteAuthor,
  selectNotes,
  updateMentionsSeen,
} from './note-queries.ts'
import type { Note, NoteCreate, NoteFilter, NotePage } from './schemas.ts'

interface NoteParts {
  db: Database
  cursors: Cursors
}

const threadOf = async ({ sql }: Database, { companyId }: Actor, phoneText: string) =>
  phoneOf(sql, await viewOf(sql, companyId, undefined), phoneText)

/** Newest first. */
export async function listNotes(
  { db, cursors }: NoteParts,
  actor: Actor,
  phoneText: string,
  { cursor, limit }: NoteFilter,
): Promise<NotePage> {
  const { companyId } = actor
  const phone = await threadOf(db, actor, phoneText)
  const list = ['notes', companyId, phone]
  const [beforeId] = cursor === undefined ? [] : cursors.read(list, cursor)
  const rows = await selectNotes(db.sql, companyId, { phone, beforeId }, limit + 1)
  const notes = rows.slice(0, limit)
  return { notes, next_cursor: rows.length > limit ? cursors.make(list, [notes.at(-1)!.id]) : null }
}

/** An employee who is mentioned sees that until they have read it; nobody need mention themselves. */
export async function createNote(
  db: Database,
  actor: Actor,
  phoneText: string,
  { text, mentioned_employee_ids = [] }: NoteCreate,
): Promise<Note> {
  const { companyId, employeeId: authorId } = actor
  const phone = await threadOf(db, actor, phoneText)
  const mentioned = [...new Set(mentioned_employee_ids)].filter((id) => id !== authorId)
  return db.tx(async (tx) => {
    if ((await keepEmployees(tx, companyId, mentioned)).length < mentioned.length)
      throw fieldError('mentioned_employee_ids', 'names somebody who is not an employee of the company')
    const id = await insertNote(tx, companyId, { phone, authorId, text, mentioned })
    await publish(tx, companyId, phone)
    const [note] = await selectNotes(tx, companyId, { phone, id }, 1)
    return note!
  })
}

export async function deleteNote(db: Database, actor: Actor, phoneText: string, id: string): Promise<void> {
  const { companyId, employeeId } = actor
  const phone = await threadOf(db, actor, phoneText)
  await db.tx(async (tx) => {
    const author = (await selectNoteAuthor(tx, companyId, phone, id)) ?? fail(notFound())
    if (author !== employeeId) throw noteOfCoworker()
    await deleteNoteRow(tx, companyId, id)
    await publish(tx, companyId, phone)
  })
}

export async function markMentionsSeen(db: Database, actor: Actor, phoneText: string): Promise<void> {
  const phone = await threadOf(db, actor, phoneText)
  await db.tx(async (tx) => {
    if (await updateMentionsSeen(tx, actor.companyId, actor.employeeId, phone))
      await publish(tx, actor.companyId, phone)
  })
}

const publish = (tx: Tx, companyId: string, phone: string) =>
  publishToCompany(tx, companyId, { type: 'thread_update', phone_number: phone })

const noteOfCoworker = () =>
  new AppError({ status: 403, code: 'note_of_coworker', message: 'Only its author can delete a note.' })
