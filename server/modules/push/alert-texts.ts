import { texts } from '../../platform/http/texts.ts'

const EN = {
  calls: (caller: string) => `${caller} is calling`,
  /** Below it: the business number that was called. */
  open: (number: string) => `${number} · Open Bellhop to answer`,
  answeredBy: (name: string, caller: string) => `${name} answered ${caller}`,
  answeredByYou: (caller: string) => `You answered ${caller}`,
  missed: (caller: string) => `Missed call from ${caller}`,
  withheld: 'A withheld number',
}

/** What a browser shows of a call. */
export const alertTexts = texts(EN, {
  da: {
    calls: (caller) => `${caller} ringer`,
    open: (number) => `${number} · Åbn Bellhop for at svare`,
    answeredBy: (name, caller) => `${name} tog opkaldet fra ${caller}`,
    answeredByYou: (caller) => `Du tog opkaldet fra ${caller}`,
    missed: (caller) => `Ubesvaret opkald fra ${caller}`,
    withheld: 'hemmeligt nummer',
  },
  de: {
    calls: (caller) => `${caller} ruft an`,
    open: (number) => `${number} · Zum Annehmen Bellhop öffnen`,
    answeredBy: (name, caller) => `${name} hat den Anruf von ${caller} angenommen`,
    answeredByYou: (caller) => `Du hast den Anruf von ${caller} angenommen`,
    missed: (caller) => `Verpasster Anruf von ${caller}`,
    withheld: 'unbekannter Nummer',
  },
  sv: {
    calls: (caller) => `${caller} ringer`,
    open: (number) => `${number} · Öppna Bellhop för att svara`,
    answeredBy: (name, caller) => `${name} tog samtalet från ${caller}`,
    answeredByYou: (caller) => `Du tog samtalet från ${caller}`,
    missed: (caller) => `Missat samtal från ${caller}`,
    withheld: 'dolt nummer',
  },
})
