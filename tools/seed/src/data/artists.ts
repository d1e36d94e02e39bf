import type { CreatorSeed } from './creator-seed.ts';

export const artists: readonly CreatorSeed[] = [
  {
    username: 'linnea-sorberg',
    displayName: 'Linnea Sørberg',
    niches: ['Artist'],
    bio: 'Linocuts and risographs from a kitchen-table press in Bergen. Editions of fifty, numbered in pencil, dried above the stove.',
    portrait: { palette: 'rose', skin: 0, hair: 'bun', hairColor: 'auburn', wears: ['earrings'] },
    handles: { instagram: 'linnea.prints', youtube: 'linneaprints' },
    paygates: [{ name: 'Print club', url: 'https://club.example.com/linnea-sorberg' }],
    offerings: [
      {
        title: 'Harbour, Five Greys',
        description: 'Two-block linocut on 240 g cotton paper, 30 × 40 cm, edition of fifty.',
        price: '650 kr',
        type: 'Other',
      },
      {
        title: 'Your First Linocut',
        description: 'A three-hour online workshop. I send the tools list; you bring a steady chair.',
        price: '420 kr',
        type: 'Workshop',
      },
      {
        title: 'Carving Patterns Vol. 1',
        description: 'Twenty-four patterns to print at home, free for use in your own work.',
        price: '120 kr',
        type: 'PDF / Digital Download',
        product: 'carving-patterns-1.zip',
      },
      {
        title: 'Riso from Scratch',
        description: 'Separations, misregistration and how to love both. Five lessons with files.',
        price: '790 kr',
        type: 'Course',
      },
    ],
  },
  {
    username: 'kwame-asante',
    displayName: 'Kwame Asante',
    niches: ['Artist'],
    bio: 'Painter in Kumasi. I grind my own earth pigments and paint the people who wait: at clinics, at bus stops, at the bank.',
    portrait: { palette: 'ochre', skin: 5, hair: 'shaved', hairColor: 'black', wears: ['beard'] },
    handles: { instagram: 'kwame.paints' },
    offerings: [
      {
        title: 'Waiting Room, No. 7',
        description: 'Giclée print of the painting, signed, 40 × 60 cm.',
        price: 'GH₵ 950',
        type: 'Other',
      },
      {
        title: 'Earth Pigments at Home',
        description:
          'From the roadside to the palette: digging, washing, grinding, binding. Recorded, with a supplies list.',
        price: 'GH₵ 380',
        type: 'Course',
      },
      {
        title: 'Portfolio Hour',
        description: 'Honest eyes on ten of your pictures, and a plan for the next ten.',
        price: '$40',
        type: 'Consultation',
      },
      {
        title: 'The Ochre Notebook',
        description: 'Swatches, recipes and failures of eight years, scanned page by page.',
        price: '$12',
        type: 'eBook',
        product: 'ochre-notebook.pdf',
      },
      {
        title: 'Portraits from Life',
        description: 'A live session with a sitter and patient teaching. Charcoal or paint.',
        price: 'GH₵ 200',
        type: 'Workshop',
      },
      {
        title: 'Twelve Faces Brush Set',
        description: 'Scanned bristle marks as digital brushes for the usual programs.',
        price: '$9',
        type: 'PDF / Digital Download',
        product: 'twelve-faces-brushes.zip',
      },
    ],
  },
  {
    username: 'ines-maldonado',
    displayName: 'Inés Maldonado',
    niches: ['Artist', 'Healer'],
    bio: '',
    portrait: { palette: 'terracotta', skin: 2, hair: 'braids', hairColor: 'black', wears: ['necklace'] },
    offerings: [
      {
        title: 'Papel Picado Templates',
        description: 'Thirty cut-paper banners to print, fold and cut. Scissors or machine.',
        price: 'MX$180',
        type: 'PDF / Digital Download',
        product: 'papel-picado.zip',
      },
      {
        title: 'Altars of Everyday Life',
        description: 'We build a small altar from what is on your table. Online, Spanish and English.',
        price: 'MX$450',
        type: 'Workshop',
      },
    ],
  },
  {
    username: 'yuto-arai',
    displayName: 'Yūto Arai',
    niches: ['Artist'],
    bio: 'Ceramic tiles and the geometry behind them. I studied mathematics until clay turned out to be the better blackboard.',
    portrait: null,
    handles: { youtube: 'araitiles' },
    offerings: [
      {
        title: 'Seventeen Ways to Fill a Wall',
        description: 'All the plane symmetries, each as a pattern you can draw with a compass.',
        price: '¥2,200',
        type: 'eBook',
        product: 'seventeen-ways.pdf',
      },
      {
        title: 'Pattern Drawing with Compass and Patience',
        description: 'Six lessons from one circle to a full wall.',
        price: '¥9,800',
        type: 'Course',
      },
      {
        title: 'Tile Commission',
        description: 'A hand-made panel for kitchen or bath. We begin with a sketch call.',
        price: 'from ¥60,000',
        type: 'Other',
      },
    ],
  },
];
