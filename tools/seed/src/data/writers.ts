import type { CreatorSeed } from './creator-seed.ts';

export const writers: readonly CreatorSeed[] = [
  {
    username: 'amara-okafor',
    displayName: 'Amara Okafor',
    niches: ['Writer', 'Poet'],
    bio: 'Essays and poems about rivers, memory and starting over. I grew up beside the Niger in Onitsha, trained as a hydrologist and left the job when the reports kept turning into stories. I write slowly, publish when it is ready, and answer every letter by hand.',
    portrait: { palette: 'terracotta', skin: 4, hair: 'afro', hairColor: 'black', wears: ['earrings'] },
    handles: { youtube: 'amaraokafor', instagram: 'amara.writes' },
    paygates: [
      { name: 'Buy me a coffee', url: 'https://coffee.example.com/amara-okafor' },
      { name: 'Monthly letter', url: 'https://letters.example.com/amara-okafor' },
    ],
    offerings: [
      {
        title: 'What the River Kept',
        description:
          'Fourteen essays on floods, family archives and the houses we move away from. 212 pages, with the maps I drew along the way.',
        price: '$14',
        type: 'eBook',
        product: 'what-the-river-kept.epub',
      },
      {
        title: 'Low Water: Poems',
        description:
          'Thirty-one short poems written during one dry season. Made to be read aloud, one a day, before the phone is switched on.',
        price: 'Pay what you like, from $5',
        type: 'PDF / Digital Download',
        product: 'low-water.pdf',
      },
      {
        title: 'Writing from Memory',
        description:
          'Four Sunday evenings for people with a story they keep telling at dinner but never write down. Eight seats, cameras optional, tea required.',
        price: '$120 for four evenings',
        type: 'Workshop',
      },
      {
        title: 'One Honest Reading',
        description:
          'Send me up to ten pages. I read them twice, mark what is alive, and we talk for an hour about what the piece wants to become.',
        price: '$75',
        type: 'Consultation',
      },
      {
        title: 'The Essay as a Walk',
        description:
          'Six recorded lessons and a workbook on building an essay out of detours. No deadlines; keep it for good.',
        price: '$60',
        type: 'Course',
      },
    ],
  },
  {
    username: 'hanna-lindqvist',
    displayName: 'Hanna Lindqvist',
    niches: ['Writer'],
    bio: 'Crime novelist from Härnösand. Eleven books, four detectives, no serial killers. I also teach people how to finish the thing in the drawer.',
    portrait: { palette: 'teal', skin: 0, hair: 'bob', hairColor: 'blond', wears: ['glasses'] },
    paygates: [{ name: 'Book club', url: 'https://club.example.com/hanna-lindqvist' }],
    offerings: [
      {
        title: 'The Ice Road',
        description:
          'A ferryman, a missing ledger and a winter that will not end. The first Lund & Aho novel, in English at last.',
        price: '89 kr',
        type: 'eBook',
        product: 'the-ice-road.epub',
      },
      {
        title: 'Plotting Backwards',
        description:
          'Start with the confession and work your way to page one. A five-week course with a small group and real homework.',
        price: '1 450 kr',
        type: 'Course',
      },
      {
        title: 'First Chapter Clinic',
        description:
          'I tell you where I stopped believing you, and how to win me back. Written notes within ten days.',
        price: '600 kr',
        type: 'Consultation',
      },
    ],
  },
  {
    username: 'tomas_ferreira',
    displayName: 'Tomás Ferreira',
    niches: ['Writer'],
    bio: 'Food writer in Porto. I collect recipes from people who say they have none, and the stories they tell while denying it. Former line cook; the burns are real.',
    portrait: { palette: 'ochre', skin: 2, hair: 'swept', hairColor: 'brown', wears: ['beard'] },
    handles: { instagram: 'tomas.naocozinha' },
    offerings: [
      {
        title: 'Caldo: Twenty Soups and Their Cooks',
        description:
          'Twenty kitchens between Minho and the Algarve, twenty pots, and what was said over them.',
        price: '€18',
        type: 'eBook',
        product: 'caldo.pdf',
      },
      {
        title: 'How to Interview Your Grandmother',
        description: 'A printable booklet of questions, with room for stains. Works on uncles too.',
        price: '€6',
        type: 'PDF / Digital Download',
        product: 'interview-booklet.pdf',
      },
      {
        title: 'Write a Recipe People Trust',
        description:
          'A Saturday morning for food writers: exact words, honest times, no life story above the ingredients.',
        price: '€45 per seat',
        type: 'Workshop',
      },
      {
        title: 'A Letter from the Market',
        description: 'Every month a printed letter from Bolhão: what is good, who is retiring, one recipe.',
        price: '€7 / month',
        type: 'Other',
      },
    ],
  },
  {
    username: 'mei-tanaka',
    displayName: 'Mei Tanaka 田中芽衣',
    niches: ['Writer', 'Artist'],
    bio: 'I make small illustrated books about ordinary objects: kettles, keys, the last umbrella in the stand. Tokyo by day, a night train in my head.',
    portrait: { palette: 'rose', skin: 1, hair: 'long', hairColor: 'black' },
    handles: { instagram: 'mei.small.books', tiktok: 'meismallbooks' },
    offerings: [
      {
        title: 'Kettle, Key, Umbrella',
        description: 'Three picture essays in one volume. Drawn in ink, coloured with tea.',
        price: '¥1,800',
        type: 'eBook',
        product: 'kettle-key-umbrella.pdf',
      },
      {
        title: 'A Zine in One Evening',
        description: 'One sheet of paper, eight pages, no excuses. We fold, draw and print together online.',
        price: '¥3,500',
        type: 'Workshop',
      },
      {
        title: 'Object Diary Pages',
        description: 'Sixty printable pages for drawing one thing a day and saying why it stayed.',
        price: '¥900',
        type: 'PDF / Digital Download',
        product: 'object-diary.pdf',
      },
    ],
  },
];
