import type { Niche } from '@stoa/contracts';
import type { ReactNode } from 'react';

interface Motif {
  pigment: string;
  lines: ReactNode;
}

const motifs: Record<Niche, Motif> = {
  Writer: {
    pigment: 'var(--clay)',
    lines: (
      <path d="m24 4 10 22-6 14h-8l-6-14L24 4Zm0 0v20m-3.5 3.5a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0M17 45h14" />
    ),
  },
  Poet: {
    pigment: 'var(--plum)',
    lines: (
      <path d="M24 13c-6-5-14-5-19-3v27c5-2 13-2 19 3 6-5 14-5 19-3V10c-5-2-13-2-19 3Zm0 0v27M11 19c3-.6 6 0 8 1M11 26c3-.6 6 0 8 1m10-7c2-1 5-1.6 8-1m-8 8c2-1 5-1.6 8-1" />
    ),
  },
  Artist: {
    pigment: 'var(--sea)',
    lines: (
      <>
        <path d="M24 6C13 6 5 14 5 24s8 18 17 18c4 0 5-3 4-6-1-4 1-6 5-6h5c5 0 8-3 8-8C44 13 35 6 24 6Z" />
        <path d="M14 23h.1M20 14.5h.1M31 14.5h.1M14.5 31.5h.1" strokeWidth="5" />
      </>
    ),
  },
  Healer: {
    pigment: 'var(--olive)',
    lines: (
      <path d="M24 41c-8 0-17-5-19-15 6 0 10 1.5 13 5-3-9-1-16 6-24 7 8 9 15 6 24 3-3.5 7-5 13-5-2 10-11 15-19 15Zm-6-10c1 4 3 7.5 6 10 3-2.5 5-6 6-10" />
    ),
  },
  Coach: {
    pigment: 'var(--sand)',
    lines: (
      <>
        <circle cx="24" cy="24" r="18.5" />
        <path d="m32 16-5 11-11 5 5-11 11-5ZM24 5.5v3M24 39.5v3M42.5 24h-3M8.5 24h-3" />
      </>
    ),
  },
  Musician: {
    pigment: 'var(--clay)',
    lines: (
      <path d="M18 36V12l21-4v24M18 19l21-4M18 36a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0Zm21-4a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0Z" />
    ),
  },
};

export function nichePigment(niche: Niche): string {
  return motifs[niche].pigment;
}

/** A niche's motif in a box of 48 by 48, for use within another drawing. */
export function NicheMotif({ niche }: { niche: Niche }) {
  return (
    <g fill="none" stroke="var(--ink)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
      {motifs[niche].lines}
    </g>
  );
}

const arcade = [-3, -2, -1, 1, 2, 3];

/** A niche's motif in its arch, in an arcade as wide as the box. */
export function NichePanel({ niche, className }: { niche: Niche; className?: string }) {
  const pigment = nichePigment(niche);
  return (
    <svg
      viewBox="0 0 240 160"
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
      className={className}
      overflow="visible"
    >
      <path d="M-400-100H640v300H-400Z" fill={pigment} opacity="0.28" />
      <circle cx="214" cy="36" r="13" fill="var(--stone)" opacity="0.9" />
      {arcade.map((step) => (
        <path
          key={step}
          d="M92 160V104a28 28 0 0 1 56 0v56Z"
          transform={`translate(${step * 68 + Math.sign(step) * 24})`}
          fill={pigment}
          opacity="0.35"
        />
      ))}
      <path d="M70 160V76a50 50 0 0 1 100 0v84Z" fill={pigment} opacity="0.85" />
      <path d="M82 160V78a38 38 0 0 1 76 0v82Z" fill="var(--stone)" />
      <g transform="translate(91 72) scale(1.2)">
        <NicheMotif niche={niche} />
      </g>
    </svg>
  );
}
