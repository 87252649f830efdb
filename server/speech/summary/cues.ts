/** Patterns of one language that distinguish relevant sentences from small talk. */
export interface Cues {
  /** What people call about. */
  topic: RegExp
  /** Commitments. */
  promise: RegExp
  /** Times: a commitment with a time is better. */
  time: RegExp
  /** Greetings and other small talk. */
  pleasantry: RegExp
}

const ENGLISH: Cues = {
  topic:
    /\b(about|because|order(ed)?|invoices?|bills?|pa(y|id|yment)|appointments?|book(ed|ing)?|cancel(l?ed)?|deliver(y|ed)|arriv(e|ed)|address|problems?|broken?|stopped|does(n't| not) work|not working|wrong|missing|refund|return(ed)?|price|quote|offer|contract|question|need|want(ed)?|would like|i'd like|wondering|complain(t)?|urgent|late|delayed|account|password|change|move)\b/gi,
  promise:
    /\b((i|we)('ll| will| shall| am going to| are going to| can have)|i'm going to|we're going to|you('ll| will) (get|receive|have|hear)|will (be|call|send|come|get back)|let me (check|find|call|send)|i promise)\b/gi,
  time: /\b(today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|afternoon|noon|evening|week|month|hours?|minutes?|before|by the end|at once|right away|\d+)\b/gi,
  pleasantry:
    /\b(hello|hi|hey|good (morning|afternoon|evening|day)|how (are you|can i help|may i help)( you)?( today)?|this is|my name is|you('re| are) (speaking|welcome)|speaking|thanks?( you)?( (so|very) much)?( for (calling|your (help|call|time)))?|have a (nice|good|great|lovely|wonderful) \w+|bye|goodbye|see you|no problem|of course|sure|all right|alright|okay|yes|yeah|no|please hold|one moment|i see|great|perfect|wonderful)\b/gi,
}

const DANISH: Cues = {
  topic:
    /(?<!\p{L})(om|fordi|bestil(ling(en)?|te|t)?|faktura(en)?|regning(en)?|betal(t|e|ing)|aftale(n)?|tid|afbestille|aflyse|aflys|lever(ing|et|ingen)|kommet|adresse(n)?|problem(er|et)?|gået i stykker|virker ikke|forkert|mangler|penge tilbage|retur(nere)?|pris(en)?|tilbud(det)?|kontrakt(en)?|spørgsmål|brug for|vil gerne|ville høre|ønsker|klage|haster|forsinket|konto(en)?|adgangskode(n)?|ændre|flytte)(?!\p{L})/giu,
  promise:
    /(?<!\p{L})((jeg|vi) (skal nok|ringer|sender|vender tilbage|kommer|sørger for|finder ud af|undersøger|bestiller|ordner|vil (ringe|sende|undersøge))|du (får|hører fra)|lad mig (lige )?(tjekke|se|finde)|jeg lover)(?!\p{L})/giu,
  time: /(?<!\p{L})(i dag|i aften|i morgen|mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag|formiddag|eftermiddag|middag|uge(n)?|måned(en)?|timer?|minutter|inden|senest|med det samme|\d+)(?!\p{L})/giu,
  pleasantry:
    /(?<!\p{L})(hej( hej)?|goddag|god(morgen| morgen|aften| aften| dag)|det er|du taler med|mit navn er|hvad kan jeg hjælpe (dig )?med|tak( skal du have)?( for (hjælpen|opkaldet))?|mange tak|selv tak|velbekomme|farvel|hav en (god|dejlig) \p{L}+|vi ses|ja|nej|okay|selvfølgelig|naturligvis|det er i orden|et øjeblik|fint|super)(?!\p{L})/giu,
}

const BY_LANGUAGE: Readonly<Record<string, Cues>> = { en: ENGLISH, da: DANISH }

/** Undefined for other languages, where only the length of a sentence counts. */
export const cuesOf = (language: string): Cues | undefined => BY_LANGUAGE[language]
