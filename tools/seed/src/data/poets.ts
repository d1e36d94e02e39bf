import type { CreatorSeed } from './creator-seed.ts';

export const poets: readonly CreatorSeed[] = [
  {
    username: 'lindiwe-khumalo',
    displayName: 'Lindiwe Khumalo',
    niches: ['Poet', 'Coach'],
    bio: 'Spoken word from Soweto to wherever the bus stops. I coach shy people to stand in front of a microphone and mean it. isiZulu, English, and a lot of silence in between.',
    portrait: { palette: 'plum', skin: 5, hair: 'wrap', hairColor: 'black', wears: ['earrings', 'necklace'] },
    handles: { youtube: 'lindiwespeaks', tiktok: 'lindiwespeaks', instagram: 'lindiwe.speaks' },
    paygates: [{ name: 'Support the open mic', url: 'https://give.example.com/lindiwe-khumalo' }],
    offerings: [
      {
        title: 'Taxi Rank Psalms',
        description: 'Nineteen poems, recorded live with the hooters left in. Audio and text.',
        price: 'R 150',
        type: 'PDF / Digital Download',
        product: 'taxi-rank-psalms.zip',
      },
      {
        title: 'Stand Up, Speak Slow',
        description: 'Two evenings on breath, pace and what to do with your hands.',
        price: 'R 480',
        type: 'Workshop',
      },
      {
        title: 'Stage Hour',
        description: 'Bring one poem or one speech. We work on it until it no longer needs the paper.',
        price: 'R 650 / hour',
        type: 'Consultation',
      },
      {
        title: 'Finding the Voice You Already Have',
        description: 'An eight-week online course, one exercise a day, never longer than a kettle takes.',
        price: 'R 1 200',
        type: 'Course',
      },
    ],
  },
  {
    username: 'roya_daryaei',
    displayName: 'Roya Daryaei',
    niches: ['Poet'],
    bio: 'Poet and translator between Persian and English. I am interested in what falls out of the boat during the crossing. Currently on Hafez, one ghazal a month, for as long as it takes.',
    portrait: { palette: 'night', skin: 2, hair: 'curls', hairColor: 'black', wears: ['earrings'] },
    offerings: [
      {
        title: 'Twelve Ghazals, Twice',
        description: 'Each poem in two translations that disagree, with a page on why.',
        price: '£11',
        type: 'eBook',
        product: 'twelve-ghazals.epub',
      },
      {
        title: 'A Poem for Your Occasion',
        description: 'Weddings, departures, the naming of boats. Two drafts, one calligraphed print by post.',
        price: 'from £90',
        type: 'Other',
      },
    ],
  },
  {
    username: 'sean-obrien',
    displayName: 'Seán Ó Briain',
    niches: ['Poet', 'Musician'],
    bio: 'Poems as Gaeilge agus as Béarla, mostly about weather and fathers. I run the last session in Dingle that still turns off the television.',
    portrait: { palette: 'olive', skin: 0, hair: 'short', hairColor: 'auburn', wears: ['beard'] },
    handles: { youtube: 'seanobriainpoems' },
    offerings: [
      {
        title: 'Salt on the Window',
        description: 'A bilingual collection. The Irish comes first, as it should.',
        price: '€12',
        type: 'eBook',
        product: 'salt-on-the-window.epub',
      },
      {
        title: 'Airs for an Empty Pub',
        description: 'Seven slow airs on the whistle, recorded after closing time.',
        price: '€9',
        type: 'PDF / Digital Download',
        product: 'airs.zip',
      },
      {
        title: 'Irish Through Poems',
        description: 'Ten lessons for people with three words of Irish and the wish for more.',
        price: '€85',
        type: 'Course',
      },
    ],
  },
  {
    username: 'noor-alhassan',
    displayName: 'Noor Al-Hassan',
    niches: ['Poet', 'Healer'],
    bio: 'Grief is a language; I teach a little of its grammar. Poems, letters and quiet rooms for people who have lost somebody and are tired of being told it gets better.',
    portrait: { palette: 'teal', skin: 2, hair: 'hijab', hairColor: 'black' },
    handles: { instagram: 'noor.quiet.rooms' },
    offerings: [
      {
        title: 'Forty Small Letters',
        description: 'A letter a day for the first forty days. Nothing to do, nothing to answer.',
        price: 'Free, or what you can',
        type: 'PDF / Digital Download',
        product: 'forty-letters.pdf',
      },
      {
        title: 'The Quiet Room',
        description: 'Ninety minutes with six people and a candle each. We read, write, and sit.',
        price: '€25',
        type: 'Workshop',
      },
      {
        title: 'Writing to the One Who Left',
        description: 'A single session, at your pace, with me as a witness.',
        price: '€50, sliding scale',
        type: 'Consultation',
      },
    ],
  },
];
