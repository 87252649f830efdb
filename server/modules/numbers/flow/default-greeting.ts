import { voiceOf } from '../../../speech/port.ts'

/** The greeting outside business hours until the company changes it. */
const GREETINGS: Record<string, string> = {
  af: 'Dankie dat u bel. Ons is tans gesluit. Laat asseblief ’n boodskap ná die toon.',
  am: 'ስለደወሉ እናመሰግናለን። አሁን ዝግ ነን። እባክዎ ከድምፁ በኋላ መልእክት ይተዉ።',
  an: 'Gracias por clamar. Agora somos zarraus. Deixe un mensache dimpués d’o sinyal.',
  ar: 'شكرًا لاتصالكم. نحن مغلقون حاليًا. يُرجى ترك رسالة بعد سماع الصافرة.',
  as: 'ফোন কৰাৰ বাবে ধন্যবাদ। আমাৰ অফিচ বৰ্তমান বন্ধ আছে। অনুগ্ৰহ কৰি সংকেতৰ পিছত এটা বাৰ্তা ৰাখক।',
  az: 'Zəng etdiyiniz üçün təşəkkür edirik. Hazırda bağlıyıq. Zəhmət olmasa, siqnaldan sonra mesaj qoyun.',
  ba: 'Шылтыратыуығыҙ өсөн рәхмәт. Хәҙер беҙ ябыҡ. Зинһар, сигналдан һуң хәбәр ҡалдырығыҙ.',
  be: 'Дзякуем за званок. Зараз мы зачыненыя. Калі ласка, пакіньце паведамленне пасля сігналу.',
  bg: 'Благодарим ви за обаждането. В момента е затворено. Моля, оставете съобщение след сигнала.',
  bn: 'ফোন করার জন্য ধন্যবাদ। আমাদের অফিস এখন বন্ধ আছে। অনুগ্রহ করে সংকেতের পরে একটি বার্তা রাখুন।',
  bs: 'Hvala na pozivu. Trenutno ne radimo. Molimo ostavite poruku nakon zvučnog signala.',
  ca: 'Gràcies per trucar. Ara mateix estem tancats. Deixeu un missatge després del senyal.',
  cmn: '感谢您的来电。我们现在已经下班。请在提示音后留言。',
  cs: 'Dobrý den. Nyní máme zavřeno. Zanechte prosím vzkaz po zaznění tónu.',
  cy: 'Diolch am ffonio. Rydym ar gau ar hyn o bryd. Gadewch neges ar ôl y tôn.',
  da: 'Tak fordi du ringer. Vi har lukket lige nu. Læg en besked efter tonen, så ringer vi tilbage.',
  de: 'Vielen Dank für Ihren Anruf. Wir haben gerade geschlossen. Bitte hinterlassen Sie nach dem Ton eine Nachricht.',
  el: 'Σας ευχαριστούμε για την κλήση. Αυτή τη στιγμή είμαστε κλειστά. Αφήστε ένα μήνυμα μετά τον ήχο.',
  en: 'Thank you for calling. We are closed right now. Please leave a message after the tone and we will call you back.',
  eo: 'Dankon pro via voko. Ni nun estas fermitaj. Bonvolu lasi mesaĝon post la signalo.',
  es: 'Gracias por su llamada. Ahora estamos cerrados. Deje un mensaje después de la señal.',
  et: 'Täname helistamast. Oleme praegu suletud. Palun jätke sõnum pärast helisignaali.',
  eu: 'Eskerrik asko deitzeagatik. Une honetan itxita gaude. Mesedez, utzi mezua seinalearen ondoren.',
  fa: 'از تماس شما سپاسگزاریم. در حال حاضر تعطیل هستیم. لطفاً پس از شنیدن صدای بوق پیام بگذارید.',
  fi: 'Kiitos soitostasi. Olemme nyt suljettuna. Jätä viesti äänimerkin jälkeen.',
  fo: 'Takk fyri at tú ringir. Vit hava stongt í løtuni. Legg boð aftaná tónan.',
  fr: 'Merci de votre appel. Nous sommes actuellement fermés. Veuillez laisser un message après le signal sonore.',
  ga: 'Go raibh maith agat as glaoch. Táimid dúnta faoi láthair. Fág teachtaireacht tar éis na blípe, le do thoil.',
  gd: 'Tapadh leibh airson fònadh. Tha sinn dùinte an-dràsta. Fàgaibh teachdaireachd às dèidh an fhuaim.',
  gn: 'Aguyje orerenói haguére. Ko’ág̃a rombotýma. Ehejamína ne marandu pe mba’epu rire.',
  grc: 'Χάριν ἔχομεν ὅτι ἐκάλεσας. Νῦν κεκλείμεθα. Μετὰ τὸν ἦχον λόγον κατάλιπε.',
  gu: 'ફોન કરવા બદલ આભાર. અમારી ઑફિસ હાલમાં બંધ છે. કૃપા કરીને બીપ પછી સંદેશો છોડો.',
  haw: 'Mahalo no ke kelepona ʻana mai. Ua pani ʻia mākou i kēia manawa. E waiho mai i kāu leka leo ma hope o ke kani.',
  he: 'תודה שהתקשרתם. אנחנו סגורים כעת. נא להשאיר הודעה לאחר הצליל.',
  hi: 'कॉल करने के लिए धन्यवाद। हमारा कार्यालय अभी बंद है। कृपया बीप के बाद अपना संदेश छोड़ें।',
  hr: 'Hvala na pozivu. Trenutačno ne radimo. Ostavite poruku nakon zvučnog signala.',
  ht: 'Mèsi paske ou rele. Nou fèmen kounye a. Tanpri kite yon mesaj apre siyal la.',
  hu: 'Köszönjük hívását. Jelenleg zárva vagyunk. Kérjük, hagyjon üzenetet a sípszó után.',
  hy: 'Շնորհակալություն զանգի համար։ Այս պահին փակ ենք։ Խնդրում ենք թողնել հաղորդագրություն ազդանշանից հետո։',
  hyw: 'Շնորհակալութիւն ձեր հեռաձայնին համար։ Այս պահուն փակ ենք։ Կը խնդրենք ձայնանիշէն ետք պատգամ մը ձգել։',
  ia: 'Gratias pro vostre appello. In iste momento nos es claudite. Per favor lassa un message post le signal.',
  id: 'Terima kasih telah menelepon. Saat ini kami sedang tutup. Silakan tinggalkan pesan setelah nada.',
  io: 'Danko pro via voko. Nun ni esas klozita. Voluntez lasar mesajo pos la signalo.',
  is: 'Takk fyrir að hringja. Það er lokað núna. Skildu eftir skilaboð eftir tóninn.',
  it: 'Grazie per la chiamata. Al momento siamo chiusi. Lasciate un messaggio dopo il segnale acustico.',
  // In kana: the voice cannot read kanji.
  ja: 'おでんわ ありがとうございます。ただいま えいぎょうじかんがいです。はっしんおんの あとに、メッセージを おねがいします。',
  jbo: 'ki’e do .i mi’a ca ganlo .i .e’o ko benji lo notci ba lo sance',
  ka: 'გმადლობთ, რომ დარეკეთ. ამჟამად დახურული ვართ. გთხოვთ, სიგნალის შემდეგ დატოვოთ შეტყობინება.',
  kaa: 'Qońıraw etkenińiz ushın raxmet. Házir jabıqpız. Signaldan keyin xabar qaldırıń.',
  kk: 'Қоңырау шалғаныңызға рахмет. Қазір біз жабықпыз. Дыбыстық сигналдан кейін хабарлама қалдырыңыз.',
  kl: 'Sianeravit qujanaq. Maannakkut matoqqavugut. Nipip kingorna oqariartuutissit qimaguk.',
  kn: 'ಕರೆ ಮಾಡಿದ್ದಕ್ಕಾಗಿ ಧನ್ಯವಾದಗಳು. ನಮ್ಮ ಕಚೇರಿ ಈಗ ಮುಚ್ಚಿದೆ. ದಯವಿಟ್ಟು ಬೀಪ್ ನಂತರ ಸಂದೇಶ ಬಿಡಿ.',
  ko: '전화해 주셔서 감사합니다. 지금은 업무 시간이 아닙니다. 삐 소리 후 메시지를 남겨 주세요.',
  kok: 'फोन केल्ल्या खातीर देव बरें करूं. आमचें कार्यालय सध्या बंद आसा. उपकार करून बीप उपरांत संदेश सोडात.',
  ku: 'Spas ji bo telefona we. Em niha girtî ne. Ji kerema xwe piştî dengê sînyalê peyamekê bihêlin.',
  ky: 'Чалганыңыз үчүн рахмат. Азыр биз жабыкпыз. Сигналдан кийин билдирүү калтырыңыз.',
  la: 'Gratias tibi agimus quod nos vocas. Nunc clausum est. Post sonum nuntium relinque.',
  lb: 'Merci fir Ären Uruff. Mir hunn am Moment zou. Hannerloosst eis wann ech gelift e Message nom Toun.',
  lfn: 'Grasias per telefoni. Nos es aora cluida. Lasa un mesaje pos la tono, per favore.',
  lt: 'Dėkojame, kad skambinate. Šiuo metu nedirbame. Palikite žinutę po signalo.',
  ltg: 'Paldis par zvonu. Niu asam slāgti. Lyudzu, atstuojit viesti piec signala.',
  lv: 'Paldies par zvanu. Pašlaik esam slēgti. Lūdzu, atstājiet ziņu pēc signāla.',
  mi: 'Ngā mihi mō tō waea mai. Kua kati mātou ināianei. Waiho mai he karere i muri i te tangi.',
  mk: 'Ви благодариме за повикот. Моментално не работиме. Ве молиме, оставете порака по звучниот сигнал.',
  ml: 'വിളിച്ചതിന് നന്ദി. ഞങ്ങളുടെ ഓഫീസ് ഇപ്പോൾ അടച്ചിരിക്കുകയാണ്. ദയവായി ബീപ്പിന് ശേഷം സന്ദേശം നൽകുക.',
  mr: 'फोन केल्याबद्दल धन्यवाद. आमचे कार्यालय सध्या बंद आहे. कृपया बीपनंतर संदेश ठेवा.',
  ms: 'Terima kasih kerana menelefon. Kami sedang tutup sekarang. Sila tinggalkan pesanan selepas nada.',
  mt: 'Grazzi talli ċempilt. Bħalissa magħluqin. Jekk jogħġbok ħalli messaġġ wara t-ton.',
  my: 'ဖုန်းခေါ်ဆိုသည့်အတွက် ကျေးဇူးတင်ပါသည်။ ယခု ကျွန်ုပ်တို့ ပိတ်ထားပါသည်။ အချက်ပြသံကြားပြီးနောက် မက်ဆေ့ချ် ထားခဲ့ပါ။',
  nb: 'Takk for at du ringer. Vi har stengt akkurat nå. Legg igjen en beskjed etter tonen.',
  ne: 'फोन गर्नुभएकोमा धन्यवाद। हाम्रो कार्यालय अहिले बन्द छ। कृपया बीपपछि सन्देश छोड्नुहोस्।',
  nl: 'Bedankt voor uw telefoontje. Wij zijn nu gesloten. Spreek na de toon een bericht in.',
  om: 'Bilbiluu keessaniif galatoomaa. Amma cufaa dha. Maaloo, sagalee booda ergaa dhiisaa.',
  or: 'ଫୋନ୍ କରିଥିବାରୁ ଧନ୍ୟବାଦ। ଆମ କାର୍ଯ୍ୟାଳୟ ଏବେ ବନ୍ଦ ଅଛି। ଦୟାକରି ବିପ୍ ପରେ ବାର୍ତ୍ତା ଛାଡନ୍ତୁ।',
  pa: 'ਫ਼ੋਨ ਕਰਨ ਲਈ ਧੰਨਵਾਦ। ਸਾਡਾ ਦਫ਼ਤਰ ਇਸ ਵੇਲੇ ਬੰਦ ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਬੀਪ ਤੋਂ ਬਾਅਦ ਸੁਨੇਹਾ ਛੱਡੋ।',
  pap: 'Danki pa yama. Nos ta será na e momentu aki. Por fabor laga un mensahe despues di e tono.',
  pl: 'Dziękujemy za telefon. Biuro jest teraz nieczynne. Prosimy o pozostawienie wiadomości po sygnale.',
  pt: 'Obrigado pela sua chamada. Neste momento estamos fechados. Deixe uma mensagem após o sinal.',
  qu: 'Waqyamuwasqaykimanta sulpayki. Kunanqa wichqasqam kachkayku. Ama hina kaspa, sunaptin willakuyta saqiway.',
  ro: 'Vă mulțumim pentru apel. Acum suntem închiși. Lăsați un mesaj după semnal.',
  ru: 'Спасибо за звонок. Сейчас мы не работаем. Пожалуйста, оставьте сообщение после сигнала.',
  sd: 'ڪال ڪرڻ جي مهرباني. اسان جو دفتر هن وقت بند آهي. مهرباني ڪري بيپ کان پوءِ پيغام ڇڏيو.',
  si: 'ඇමතුමට ස්තූතියි. අපගේ කාර්යාලය දැනට වසා ඇත. කරුණාකර නාදයෙන් පසු පණිවිඩයක් තබන්න.',
  sk: 'Ďakujeme za zavolanie. Momentálne máme zatvorené. Zanechajte správu po zaznení tónu.',
  sl: 'Hvala za klic. Trenutno smo zaprti. Prosimo, pustite sporočilo po pisku.',
  sq: 'Faleminderit që telefonuat. Për momentin jemi të mbyllur. Ju lutemi, lini një mesazh pas sinjalit.',
  sr: 'Хвала на позиву. Тренутно не радимо. Молимо вас, оставите поруку после звучног сигнала.',
  sv: 'Tack för att du ringer. Vi har stängt just nu. Lämna ett meddelande efter tonen.',
  sw: 'Asante kwa kupiga simu. Kwa sasa tumefunga. Tafadhali acha ujumbe baada ya mlio.',
  ta: 'அழைத்ததற்கு நன்றி. எங்கள் அலுவலகம் இப்போது மூடப்பட்டுள்ளது. ஒலிக்குப் பிறகு உங்கள் செய்தியைப் பதிவு செய்யவும்.',
  te: 'ఫోన్ చేసినందుకు ధన్యవాదాలు. మా కార్యాలయం ప్రస్తుతం మూసి ఉంది. దయచేసి బీప్ తర్వాత సందేశం ఇవ్వండి.',
  th: 'ขอบคุณที่โทรมา ขณะนี้เราปิดทำการ กรุณาฝากข้อความหลังเสียงสัญญาณ',
  ti: 'ስለ ዝደወልኩም ነመስግን። ሕጂ ዕጹው ኢና። በጃኹም ድሕሪ ድምጺ መልእኽቲ ግደፉ።',
  tk: 'Jaň edeniňiz üçin sag boluň. Häzir biz ýapyk. Signaldan soň habar galdyryň.',
  tn: 'Re leboga go bo o letsitse. Ga jaana re tswetse. Tsweetswee tlogela molaetsa morago ga modumo.',
  tr: 'Aradığınız için teşekkür ederiz. Şu anda kapalıyız. Lütfen sinyal sesinden sonra mesaj bırakın.',
  tt: 'Шалтыратуыгыз өчен рәхмәт. Хәзер без ябык. Зинһар, сигналдан соң хәбәр калдырыгыз.',
  ug: 'تېلېفون قىلغىنىڭىزغا رەھمەت. ھازىر تاقاق. سىگنالدىن كېيىن ئۇچۇر قالدۇرۇڭ.',
  uk: 'Дякуємо за дзвінок. Зараз ми зачинені. Будь ласка, залиште повідомлення після сигналу.',
  ur: 'کال کرنے کا شکریہ۔ ہمارا دفتر اس وقت بند ہے۔ براہ کرم بیپ کے بعد پیغام چھوڑیں۔',
  uz: 'Qo‘ng‘iroq qilganingiz uchun rahmat. Hozir yopiqmiz. Iltimos, signaldan keyin xabar qoldiring.',
  vi: 'Cảm ơn quý khách đã gọi. Hiện tại chúng tôi đã đóng cửa. Vui lòng để lại lời nhắn sau tiếng bíp.',
  yue: '多謝你嘅來電。我哋而家已經收工。請喺提示聲之後留言。',
}

/** Languages without a greeting of their own: their voice reads one that their speakers share, in the same script. */
const SHARED_LANGUAGE: Record<string, string> = {
  bpy: 'bn',
  mto: 'es',
  nci: 'es',
  nog: 'ru',
  quc: 'es',
  smj: 'sv',
}

/** The first sentences that punctuation does not tell. */
const OPENINGS: Record<string, string> = { jbo: 'ki’e do', th: 'ขอบคุณที่โทรมา' }

export function defaultGreeting(language: string): string {
  return GREETINGS[greetedIn(language)] ?? GREETINGS.en!
}

/** Its first sentence, which suits every call: it thanks for calling. */
export function defaultOpening(language: string): string {
  const greeted = greetedIn(language)
  const sentences = new Intl.Segmenter(greeted, { granularity: 'sentence' }).segment(
    defaultGreeting(language),
  )
  return OPENINGS[greeted] ?? [...sentences][0]!.segment.trim()
}

/** The language of the texts that are the same for all companies. */
export function greetedIn(language: string): string {
  const voice = voiceOf(language) ?? 'en'
  return SHARED_LANGUAGE[voice] ?? voice
}
