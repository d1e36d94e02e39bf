import type { CreatorSeed } from './creator-seed.ts';

export const coaches: readonly CreatorSeed[] = [
  {
    username: 'priya-raman',
    displayName: 'Priya Raman',
    niches: ['Coach', 'Writer'],
    bio: 'Small, honest steps for people changing careers. I was an auditor for nine years, a baker for one and have been doing this for seven. I will not tell you to follow your passion; I will ask what you do on Tuesdays.',
    portrait: { palette: 'terracotta', skin: 3, hair: 'long', hairColor: 'black', wears: ['earrings'] },
    handles: { youtube: 'priyasmallsteps', instagram: 'priya.small.steps' },
    paygates: [{ name: 'Scholarship fund', url: 'https://give.example.com/priya-raman' }],
    offerings: [
      {
        title: 'The Tuesday Workbook',
        description:
          'Forty pages to find out what your week is really made of, and which hour to change first.',
        price: '₹ 499',
        type: 'PDF / Digital Download',
        product: 'tuesday-workbook.pdf',
      },
      {
        title: 'Three Calls to a Decision',
        description: 'Three conversations over six weeks. At the end you have decided, either way.',
        price: '₹ 9,000',
        type: 'Consultation',
      },
      {
        title: 'Leaving Well',
        description: 'A course on resigning, handing over and the odd month that follows.',
        price: '₹ 3,500',
        type: 'Course',
      },
      {
        title: 'Nine Careers, Told Backwards',
        description: 'Interviews with people who changed course after forty.',
        price: '$10',
        type: 'eBook',
        product: 'nine-careers.epub',
      },
    ],
  },
  {
    username: 'jonas-weber',
    displayName: 'Jonas Weber',
    niches: ['Coach'],
    bio: 'Running coach for late starters in Leipzig. My oldest runner is 81 and faster than me downhill. Training plans with rest days that are meant seriously.',
    portrait: { palette: 'night', skin: 0, hair: 'short', hairColor: 'grey', wears: ['beard', 'glasses'] },
    handles: { youtube: 'jonaslaeuft' },
    offerings: [
      {
        title: 'Zero to Thirty Minutes',
        description: 'Twelve weeks to the first half hour without a stop. For knees with a past.',
        price: '29 €',
        type: 'PDF / Digital Download',
        product: 'zero-to-thirty.pdf',
      },
      {
        title: 'Running After Sixty',
        description: 'Recorded lessons on strength, shoes, sleep and patience.',
        price: '79 €',
        type: 'Course',
      },
      {
        title: 'Gait Check by Video',
        description: 'Two clips of you running, twenty minutes of slow motion and advice.',
        price: '45 €',
        type: 'Consultation',
      },
    ],
  },
  {
    username: 'grace-mwangi',
    displayName: 'Grace Mwangi',
    niches: ['Coach'],
    bio: 'Money, without shame. I help market traders, nurses and freelancers in Nairobi read their own numbers. Spreadsheets with large print and no jokes about lattes.',
    portrait: {
      palette: 'olive',
      skin: 5,
      hair: 'curls',
      hairColor: 'black',
      wears: ['glasses', 'earrings'],
    },
    handles: { tiktok: 'gracecounts', instagram: 'grace.counts' },
    paygates: [{ name: 'Tip by mobile money', url: 'https://tips.example.com/grace-mwangi' }],
    offerings: [
      {
        title: 'The One-Page Budget',
        description: 'A spreadsheet that fits a telephone screen. Swahili and English.',
        price: 'KSh 500',
        type: 'PDF / Digital Download',
        product: 'one-page-budget.xlsx',
      },
      {
        title: 'Pricing Your Own Work',
        description: 'A two-hour workshop for freelancers who always say the lower number.',
        price: 'KSh 1,500',
        type: 'Workshop',
      },
      {
        title: 'Money Clinic',
        description: 'Bring the envelope with the letters you have not opened. We open them together.',
        price: 'KSh 2,500',
        type: 'Consultation',
      },
      {
        title: 'From Debt to Zero',
        description: 'A plan in twelve lessons, with the maths done for you.',
        price: 'KSh 3,000',
        type: 'Course',
      },
    ],
  },
  {
    username: 'lars_vandenberg',
    displayName: 'Lars van den Berg',
    niches: ['Coach'],
    bio: 'I coach new managers through the first hundred days. Former stage manager: the show starts on time, everybody knows their cue, and nobody shouts.',
    portrait: null,
    offerings: [
      {
        title: 'The First Hundred Days',
        description: 'Ten short lessons, a calendar, and scripts for the talks you dread.',
        price: '€140',
        type: 'Course',
      },
      {
        title: 'One-to-One for New Leads',
        description: 'An hour a fortnight until you no longer need it.',
        price: '€95 per hour',
        type: 'Consultation',
      },
    ],
  },
];
