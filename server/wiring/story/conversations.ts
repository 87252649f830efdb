/** Who of the demo company, by the place in its list. */
type EmployeeName = 'Anna Holm' | 'Bo Lund' | 'Clara Friis'

export interface SpokenTurn {
  by: 'customer' | 'employee'
  text: string
}

interface Moment {
  /** How many working days before the day of the first start. */
  daysAgo: number
  /** On the clock of the company. */
  at: string
  /** A number of the demo company. */
  number: 'Shop' | 'Workshop'
  customer: string
  /** Nobody has looked at it yet. */
  unseen?: true
}

export type Scene = Moment &
  (
    | { type: 'missed' }
    | {
        type: 'call'
        direction: 'inbound' | 'outbound'
        employee: EmployeeName
        sound: SoundName
        summary: string
        /** What the employee noted afterwards. */
        note?: string
      }
    | { type: 'voicemail'; sound: SoundName; listened?: true }
    | { type: 'text'; employee?: EmployeeName; text: string }
  )

/** What is said in the recordings. `npm run demo-sounds` has it spoken, and writes the files beside this one. */
export const SPOKEN = {
  brakes: [
    { by: 'employee', text: 'Nordlys bikes, this is Anna.' },
    {
      by: 'customer',
      text: 'Hi Anna, it is Mikkel. The brakes of my cargo bike squeal. Can you look at them this week?',
    },
    { by: 'employee', text: 'Yes. Bring it tomorrow at ten, and it is ready by four.' },
    { by: 'customer', text: 'Perfect. See you tomorrow.' },
  ],
  trailer: [
    { by: 'customer', text: 'This is Sofie.' },
    {
      by: 'employee',
      text: 'Hello Sofie, this is Bo from Nordlys bikes. The trailer for your office bike has arrived.',
    },
    { by: 'customer', text: 'Great. Can you mount it for us?' },
    { by: 'employee', text: 'Of course. It takes an hour. Come by whenever it suits you.' },
  ],
  rental: [
    { by: 'employee', text: 'Nordlys bikes, you are speaking with Clara.' },
    { by: 'customer', text: 'Hello, this is Elin. I would like to rent four bikes for Saturday.' },
    {
      by: 'employee',
      text: 'Certainly. Four city bikes are eight hundred kroner for the day, with helmets.',
    },
    { by: 'customer', text: 'That is fine. Please book them in my name.' },
  ],
  tyre: [
    {
      by: 'customer',
      text: 'Good afternoon, it is the coffee bar at the harbour. One of our delivery bikes has a flat tyre again. Could you call us back? Thank you.',
    },
  ],
  blue: [
    {
      by: 'customer',
      text: 'Hi, my name is Jonas. I saw the blue city bike in your window. Is it still for sale? You can reach me at this number.',
    },
  ],
  // Not of the week: what a simulated customer says.
  ready: [
    {
      by: 'customer',
      text: 'Hello, this is Mikkel. I would like to hear if my bike is ready. Take your time, I am listening.',
    },
  ],
} satisfies Record<string, SpokenTurn[]>
export type SoundName = keyof typeof SPOKEN

const MIKKEL = '+4520304050'
const SOFIE = '+4531415161'
const COFFEE_BAR = '+4542526272'
const ELIN = '+46701234567'
const JONAS = '+4527384950'

/** In the order in which it happened; the missed call of today comes after all of it. */
export const WEEK: Scene[] = [
  {
    type: 'call',
    daysAgo: 5,
    at: '10:12',
    number: 'Shop',
    customer: MIKKEL,
    direction: 'inbound',
    employee: 'Anna Holm',
    sound: 'brakes',
    summary: 'The brakes of Mikkel’s cargo bike squeal. He brings it tomorrow at ten; it is ready by four.',
  },
  {
    type: 'text',
    daysAgo: 4,
    at: '15:52',
    number: 'Shop',
    customer: MIKKEL,
    employee: 'Anna Holm',
    text: 'Hi Mikkel, your cargo bike is ready. We are open until five today. Best regards, Anna',
  },
  { type: 'text', daysAgo: 4, at: '15:58', number: 'Shop', customer: MIKKEL, text: 'Great, I am on my way!' },
  { type: 'missed', daysAgo: 3, at: '12:31', number: 'Workshop', customer: SOFIE },
  {
    type: 'call',
    daysAgo: 3,
    at: '13:40',
    number: 'Workshop',
    customer: SOFIE,
    direction: 'outbound',
    employee: 'Bo Lund',
    sound: 'trailer',
    summary: 'The trailer for Sofie’s office bike has arrived. Bo mounts it, which takes an hour.',
    note: 'It goes on the red bike, not on the old one.',
  },
  {
    type: 'voicemail',
    daysAgo: 3,
    at: '16:38',
    number: 'Workshop',
    customer: COFFEE_BAR,
    sound: 'tyre',
    listened: true,
  },
  {
    type: 'text',
    daysAgo: 2,
    at: '09:30',
    number: 'Workshop',
    customer: SOFIE,
    text: 'Do you also have lights for the trailer?',
  },
  {
    type: 'text',
    daysAgo: 2,
    at: '09:41',
    number: 'Workshop',
    customer: SOFIE,
    employee: 'Bo Lund',
    text: 'Yes, two kinds. I have put a pair aside for you.',
  },
  {
    type: 'call',
    daysAgo: 1,
    at: '11:05',
    number: 'Shop',
    customer: ELIN,
    direction: 'inbound',
    employee: 'Clara Friis',
    sound: 'rental',
    summary: 'Elin rents four city bikes for Saturday, for 800 kroner with helmets. Clara books them.',
    note: 'Helmets: two medium, two large. Pays on Saturday.',
  },
  {
    type: 'text',
    daysAgo: 1,
    at: '12:10',
    number: 'Shop',
    customer: ELIN,
    text: 'Could one of the four bikes have a child seat?',
  },
  {
    type: 'text',
    daysAgo: 1,
    at: '12:18',
    number: 'Shop',
    customer: ELIN,
    employee: 'Clara Friis',
    text: 'Of course, and at no extra charge.',
  },
  {
    type: 'text',
    daysAgo: 1,
    at: '15:15',
    number: 'Shop',
    customer: MIKKEL,
    text: 'The brakes are perfect now. Thank you!',
    unseen: true,
  },
  {
    type: 'voicemail',
    daysAgo: 1,
    at: '16:35',
    number: 'Shop',
    customer: JONAS,
    sound: 'blue',
    unseen: true,
  },
]

/** Nobody has called the coffee bar back yet. */
export const MISSED_TODAY = { number: 'Workshop', customer: COFFEE_BAR } as const
