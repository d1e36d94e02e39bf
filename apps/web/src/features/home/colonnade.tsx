import type { Niche } from '@stoa/contracts';
import { NicheMotif, nichePigment } from '../../ui/pictures/niche-art.tsx';

const bays: readonly Niche[] = ['Writer', 'Artist', 'Healer', 'Coach', 'Musician'];
const bayWidth = 100;
const left = 30;

/** A stoa with one bay for each niche. */
export function Colonnade({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 560 440" aria-hidden="true" className={className}>
      <circle cx="446" cy="86" r="62" fill="var(--clay)" opacity="0.9" />
      <ellipse cx="280" cy="414" rx="280" ry="22" fill="var(--olive)" opacity="0.3" />
      <path
        d="M18 132 280 46l262 86Z"
        fill="var(--stone)"
        stroke="var(--edge)"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="m84 124 196-64 196 64Z" fill="var(--sand)" opacity="0.75" />
      <g fill="var(--clay)">
        <circle cx="280" cy="98" r="13" />
        <circle cx="236" cy="107" r="6" opacity="0.7" />
        <circle cx="324" cy="107" r="6" opacity="0.7" />
      </g>
      <path d="M18 132h524v28H18Z" fill="var(--stone)" stroke="var(--edge)" strokeWidth="2" />
      <path
        d="M32 146h496"
        stroke="var(--clay)"
        strokeWidth="5"
        strokeDasharray="3 11"
        strokeLinecap="round"
      />
      <path d="M30 160h500v232H30Z" fill="var(--sand)" opacity="0.45" />
      {bays.map((niche, index) => (
        <Bay key={niche} niche={niche} x={left + index * bayWidth} />
      ))}
      {Array.from({ length: bays.length + 1 }, (_, index) => (
        <Column key={index} x={left + index * bayWidth} />
      ))}
      <path
        d="M18 390h524v14H18ZM6 404h548v16H6Z"
        stroke="var(--edge)"
        strokeWidth="2"
        fill="var(--stone)"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Bay({ niche, x }: { niche: Niche; x: number }) {
  return (
    <g transform={`translate(${x} 160)`}>
      <path d="M12 230V62a38 38 0 0 1 76 0v168Z" fill={nichePigment(niche)} opacity="0.85" />
      <circle cx="50" cy="92" r="28" fill="var(--stone)" />
      <g transform="translate(31.76 73.76) scale(0.76)">
        <NicheMotif niche={niche} />
      </g>
      <path d="M32 230v-44a18 18 0 0 1 36 0v44Z" fill="var(--stone)" opacity="0.4" />
    </g>
  );
}

function Column({ x }: { x: number }) {
  return (
    <g
      transform={`translate(${x} 160)`}
      fill="var(--stone)"
      stroke="var(--edge)"
      strokeWidth="1.6"
      strokeLinejoin="round"
    >
      <path d="M-8 12 -6.5 222h13L8 12Z" />
      <path d="M-3 14-2.4 220M3 14l-.6 206" strokeWidth="1" opacity="0.55" />
      <path d="M-14 0h28l-4 12h-20ZM-12 222h24v8h-24Z" />
    </g>
  );
}
