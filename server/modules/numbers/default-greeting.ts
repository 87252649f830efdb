import { voiceOf } from '../../speech/port.ts'

/** What a caller hears outside business hours until the company says it better. */
const GREETINGS: Record<string, string> = {
  bg: 'Благодарим ви за обаждането. В момента е затворено. Моля, оставете съобщение след сигнала.',
  cs: 'Dobrý den. Nyní máme zavřeno. Zanechte prosím vzkaz po zaznění tónu.',
  da: 'Tak fordi du ringer. Vi har lukket lige nu. Læg en besked efter tonen, så ringer vi tilbage.',
  de: 'Vielen Dank für Ihren Anruf. Wir haben gerade geschlossen. Bitte hinterlassen Sie nach dem Ton eine Nachricht.',
  el: 'Σας ευχαριστούμε για την κλήση. Αυτή τη στιγμή είμαστε κλειστά. Αφήστε ένα μήνυμα μετά τον ήχο.',
  en: 'Thank you for calling. We are closed right now. Please leave a message after the tone and we will call you back.',
  es: 'Gracias por su llamada. Ahora estamos cerrados. Deje un mensaje después de la señal.',
  et: 'Täname helistamast. Oleme praegu suletud. Palun jätke sõnum pärast helisignaali.',
  fi: 'Kiitos soitostasi. Olemme nyt suljettuna. Jätä viesti äänimerkin jälkeen.',
  fr: 'Merci de votre appel. Nous sommes actuellement fermés. Veuillez laisser un message après le signal sonore.',
  hr: 'Hvala na pozivu. Trenutačno ne radimo. Ostavite poruku nakon zvučnog signala.',
  hu: 'Köszönjük hívását. Jelenleg zárva vagyunk. Kérjük, hagyjon üzenetet a sípszó után.',
  is: 'Takk fyrir að hringja. Það er lokað núna. Skildu eftir skilaboð eftir tóninn.',
  it: 'Grazie per la chiamata. Al momento siamo chiusi. Lasciate un messaggio dopo il segnale acustico.',
  lt: 'Dėkojame, kad skambinate. Šiuo metu nedirbame. Palikite žinutę po signalo.',
  lv: 'Paldies par zvanu. Pašlaik esam slēgti. Lūdzu, atstājiet ziņu pēc signāla.',
  nb: 'Takk for at du ringer. Vi har stengt akkurat nå. Legg igjen en beskjed etter tonen.',
  nl: 'Bedankt voor uw telefoontje. Wij zijn nu gesloten. Spreek na de toon een bericht in.',
  pl: 'Dziękujemy za telefon. Biuro jest teraz nieczynne. Prosimy o pozostawienie wiadomości po sygnale.',
  pt: 'Obrigado pela sua chamada. Neste momento estamos fechados. Deixe uma mensagem após o sinal.',
  ro: 'Vă mulțumim pentru apel. Acum suntem închiși. Lăsați un mesaj după semnal.',
  ru: 'Спасибо за звонок. Сейчас мы не работаем. Пожалуйста, оставьте сообщение после сигнала.',
  sk: 'Ďakujeme za zavolanie. Momentálne máme zatvorené. Zanechajte správu po zaznení tónu.',
  sl: 'Hvala za klic. Trenutno smo zaprti. Prosimo, pustite sporočilo po pisku.',
  sv: 'Tack för att du ringer. Vi har stängt just nu. Lämna ett meddelande efter tonen.',
  tr: 'Aradığınız için teşekkür ederiz. Şu anda kapalıyız. Lütfen sinyal sesinden sonra mesaj bırakın.',
  uk: 'Дякуємо за дзвінок. Зараз ми зачинені. Будь ласка, залиште повідомлення після сигналу.',
}

export function defaultGreeting(language: string): string {
  return GREETINGS[voiceOf(language) ?? 'en'] ?? GREETINGS.en!
}
