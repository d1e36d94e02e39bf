import type { Niche } from '@stoa/contracts';
import { NicheMotif, nichePigment } from '../../ui/niche-art.tsx';

const bays: readonly Niche[] = ['Writer', 'Artist', 'Healer', 'Coach', 'Musician'];
const bayWidth = 100;

/** A stoa, one bay for each kind of work. */
export function Colonnade({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 560 440" aria-hidden="true" className={className}>
      <circle cx="438" cy="86" r="58" fill="var(--clay)" opacity="0.9" />
      <path d="M0 372c70-46 150-58 232-34s196 18 328-44v146H0Z" fill="var(--olive)" opacity="0.28" />
      <path
        d="M18 138 280 44l262 94Z"
        fill="var(--stone)"
        stroke="var(--edge)"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="m78 130 202-72 202 72Z" fill="var(--sand)" opacity="0.7" />
      <g fill="var(--clay)">
        <circle cx="280" cy="102" r="14" />
        <circle cx="232" cy="112" r="7" opacity="0.7" />
        <circle cx="328" cy="112" r="7" opacity="0.7" />
      </g>
      <path d="M18 138h524v26H18Z" fill="var(--stone)" stroke="var(--edge)" strokeWidth="2" />
      <path
        d="M30 151h500"
        stroke="var(--clay)"
        strokeWidth="4"
        strokeDasharray="3 11"
        strokeLinecap="round"
      />
      <path d="M30 164h500v226H30Z" fill="var(--stone)" />
      {bays.map((niche, index) => (
        <Bay key={niche} niche={niche} x={30 + index * bayWidth} />
      ))}
      <g stroke="var(--edge)" strokeWidth="2" fill="var(--stone)">
        <path d="M18 390h524v14H18ZM6 404h548v16H6Z" />
      </g>
    </svg>
  );
}

function Bay({ niche, x }: { niche: Niche; x: number }) {
  return (
    <g transform={`translate(${x} 164)`}>
      <path d="M14 226V78a36 36 0 0 1 72 0v148Z" fill={nichePigment(niche)} opacity="0.8" />
      <path
        d="M14 226V78a36 36 0 0 1 72 0v148Z"
        fill="none"
        stroke="var(--edge)"
        strokeWidth="1.5"
        opacity="0.6"
      />
      <path d="M0 226V0M100 226V0" stroke="var(--edge)" strokeWidth="1.5" opacity="0.35" />
      <circle cx="50" cy="104" r="30" fill="var(--stone)" opacity="0.92" />
      <g transform="translate(30.8 84.8) scale(0.8)">
        <NicheMotif niche={niche} />
      </g>
      <path d="M26 226v-26h48v26M34 200v-10h32v10" fill="var(--stone)" opacity="0.55" />
    </g>
  );
}
