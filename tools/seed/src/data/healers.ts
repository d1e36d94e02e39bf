import type { CreatorSeed } from './creator-seed.ts';

export const healers: readonly CreatorSeed[] = [
  {
    username: 'mateo-quispe',
    displayName: 'Mateo Quispe',
    niches: ['Healer'],
    bio: 'Breathwork and slow mornings for tired people. I learned from my aunt in Cusco and from ten years as a night nurse. No miracles, no incense required.',
    portrait: { palette: 'olive', skin: 3, hair: 'swept', hairColor: 'black' },
    handles: { youtube: 'mateobreathes', instagram: 'mateo.breathes' },
    paygates: [{ name: 'Community fund', url: 'https://give.example.com/mateo-quispe' }],
    offerings: [
      {
        title: 'Ten Slow Mornings',
        description: 'Ten recordings of fifteen minutes. Put one on before the day puts itself on you.',
        price: '$18',
        type: 'PDF / Digital Download',
        product: 'ten-slow-mornings.zip',
      },
      {
        title: 'Breath for Night Shifts',
        description: 'For nurses, drivers, bakers and new parents. Live, early evening, blankets welcome.',
        price: '$15 per session',
        type: 'Workshop',
      },
      {
        title: 'One Hour, One Breath',
        description: 'A private session, by video or by telephone.',
        price: 'S/ 160',
        type: 'Consultation',
      },
      {
        title: 'Rest Is a Practice',
        description: 'Four weeks of small instructions for people who cannot lie still.',
        price: '$55',
        type: 'Course',
      },
    ],
  },
  {
    username: 'aroha-ngata',
    displayName: 'Aroha Ngata',
    niches: ['Healer'],
    bio: 'Mirimiri bodywork and garden medicine from the East Cape. What I offer online is the part that travels: plants, rest, listening. The rest you must come here for. 🌿',
    portrait: { palette: 'teal', skin: 3, hair: 'long', hairColor: 'black', wears: ['necklace'] },
    offerings: [
      {
        title: 'A Kitchen Garden of Remedies',
        description: 'Thirty plants, what they do, and when to see a doctor instead.',
        price: 'NZ$24',
        type: 'eBook',
        product: 'kitchen-garden.pdf',
      },
      {
        title: 'Balm Making, Live',
        description: 'Kawakawa, beeswax and an honest stove. We make two jars together.',
        price: 'NZ$35',
        type: 'Workshop',
      },
      {
        title: 'Listening Hour',
        description: 'You talk, I listen, at the end I ask one question.',
        price: 'Koha (by donation)',
        type: 'Consultation',
      },
    ],
  },
  {
    username: 'dr-elif-demir',
    displayName: 'Elif Demir',
    niches: ['Healer', 'Coach'],
    bio: 'Physiotherapist for people who sit too long. İzmir, by the sea. I believe in short exercises, long walks and chairs nobody likes.',
    portrait: { palette: 'plum', skin: 1, hair: 'bob', hairColor: 'brown' },
    handles: { youtube: 'elifmoves', tiktok: 'elifmoves' },
    offerings: [
      {
        title: 'The Desk Body Course',
        description: 'Neck, wrists, hips, feet: five minutes each, twenty lessons.',
        price: '₺ 1.200',
        type: 'Course',
      },
      {
        title: 'Back Pain Check-In',
        description: 'A careful look at how you sit, stand and lift, and a plan for six weeks.',
        price: '€35',
        type: 'Consultation',
      },
      {
        title: 'Ten Stretches on One Page',
        description: 'A poster for the wall beside your screen.',
        price: 'Free',
        type: 'PDF / Digital Download',
        product: 'ten-stretches.pdf',
      },
    ],
  },
  {
    username: 'sunita-gurung',
    displayName: 'Sunita Gurung',
    niches: ['Healer'],
    bio: 'Sound and stillness from Pokhara. Bowls, voice, rain on a tin roof. I lead small groups and larger silences.',
    portrait: { palette: 'dusk', skin: 2, hair: 'braids', hairColor: 'black', wears: ['earrings'] },
    offerings: [
      {
        title: 'Rain on a Tin Roof',
        description: 'Ninety minutes of monsoon, recorded under my own roof. For sleep.',
        price: '$8',
        type: 'PDF / Digital Download',
        product: 'rain.flac',
      },
      {
        title: 'Full Moon Circle',
        description: 'Once a month, online, bowls and silence. Join from bed.',
        price: '$12',
        type: 'Workshop',
      },
      {
        title: 'Seven Days of Stillness',
        description: 'A home retreat: a short talk and a long sit each day.',
        price: 'NPR 4,500',
        type: 'Course',
      },
      {
        title: 'Choosing a Singing Bowl',
        description: 'A booklet on buying well, with sound samples and a list of honest makers.',
        price: '$6',
        type: 'eBook',
        product: 'choosing-a-bowl.epub',
      },
    ],
  },
];
