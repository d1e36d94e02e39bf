/**
 * The widths of displayed pictures. The gateway preloads the first picture with the same values before any
 * script runs.
 */
export const pictureSizes = {
  profile: '(min-width: 64rem) 16rem, (min-width: 40rem) 11rem, 6rem',
  header: '(min-width: 77rem) 72rem, 100vw',
  offering: '(min-width: 64rem) 24rem, (min-width: 40rem) 50vw, 6.5rem',
  offeringPage: '(min-width: 64rem) 40rem, calc(100vw - 2.5rem)',
  card: '(min-width: 64rem) 18rem, (min-width: 40rem) 33vw, 8rem',
  thumbnail: '(min-width: 40rem) 5.5rem, 4rem',
} as const;
