/** How wide pictures are shown; the gateway asks for the first one in the same words before any script runs. */
export const pictureSizes = {
  profile: '(min-width: 640px) 14rem, 11rem',
  card: '(min-width: 1024px) 22rem, (min-width: 640px) 50vw, 100vw',
} as const;
