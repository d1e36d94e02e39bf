/** How wide pictures are shown; the gateway asks for the first one in the same words before any script runs. */
export const pictureSizes = {
  profile: '(min-width: 1024px) 16rem, (min-width: 640px) 11rem, 6rem',
  header: '(min-width: 1232px) 72rem, 100vw',
  offering: '(min-width: 1024px) 24rem, (min-width: 640px) 50vw, 6.5rem',
  offeringPage: '(min-width: 1024px) 40rem, calc(100vw - 2.5rem)',
  // On a phone a card is higher than its picture is wide.
  card: '(min-width: 1024px) 18rem, (min-width: 640px) 33vw, 8rem',
  thumbnail: '(min-width: 640px) 5.5rem, 4rem',
} as const;
