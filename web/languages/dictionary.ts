import type { contextTexts } from '../i18n/caller-context.ts'
import type { callTexts } from '../i18n/calls.ts'
import type { contactTexts } from '../i18n/contacts.ts'
import type { doubleTexts } from '../i18n/doubles.ts'
import type { employeeTexts } from '../i18n/employees.ts'
import type { errorTexts } from '../i18n/errors.ts'
import type { inboxTexts } from '../i18n/inbox.ts'
import type { Translation } from '../i18n/language.tsx'
import type { liveTexts } from '../i18n/live.ts'
import type { numberTexts } from '../i18n/numbers.ts'
import type { remoteNumberTexts } from '../i18n/remote-numbers.ts'
import type { companyTexts, copyTexts, snippetTexts, textingTexts } from '../i18n/settings.ts'
import type { shellTexts } from '../i18n/shell.ts'
import type { teamTexts } from '../i18n/team-inbox.ts'
import type { trunkTexts } from '../i18n/trunks.ts'
import type { voicemailTexts } from '../i18n/voicemails.ts'
import type { webhookTexts } from '../i18n/webhooks.ts'
import type { keyTexts } from '../keys/texts.ts'
import type { onboardingTexts } from '../onboarding/texts.ts'
import type { walkTexts } from '../pages/numbers/walk/texts.ts'
import type { paletteTexts } from '../palette/texts.ts'
import type { refusalTexts } from '../refusals/texts.ts'
import type { pushTexts } from '../softphone/push/texts.ts'
import type { statusTexts } from '../softphone/status/texts.ts'
import type { phoneTexts } from '../softphone/texts.ts'
import type { transferTexts } from '../softphone/transfer/texts.ts'
import type { playerTexts } from '../ui/player/texts.ts'
import type { wrapUpTexts } from '../wrap-up/texts.ts'

type TextsOfRooms =
  | typeof callTexts
  | typeof companyTexts
  | typeof contactTexts
  | typeof contextTexts
  | typeof copyTexts
  | typeof doubleTexts
  | typeof employeeTexts
  | typeof errorTexts
  | typeof inboxTexts
  | typeof keyTexts
  | typeof liveTexts
  | typeof numberTexts
  | typeof onboardingTexts
  | typeof paletteTexts
  | typeof phoneTexts
  | typeof playerTexts
  | typeof refusalTexts
  | typeof pushTexts
  | typeof remoteNumberTexts
  | typeof shellTexts
  | typeof snippetTexts
  | typeof statusTexts
  | typeof teamTexts
  | typeof textingTexts
  | typeof transferTexts
  | typeof trunkTexts
  | typeof voicemailTexts
  | typeof walkTexts
  | typeof webhookTexts
  | typeof wrapUpTexts

/** All texts of the dashboard in a language. A new language is a file with one of these, and a line in `LANGUAGES`. */
export type Dictionary = { [Room in TextsOfRooms as Room['room']]: Translation<Room['en']> }
