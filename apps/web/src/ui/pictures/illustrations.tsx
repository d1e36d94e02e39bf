interface IllustrationProps {
  className?: string;
}

export function EmptyArch({ className }: IllustrationProps) {
  return (
    <svg viewBox="0 0 160 120" aria-hidden="true" className={className}>
      <path d="M8 112h144" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
      <path d="M44 112V58a36 36 0 0 1 72 0v54Z" fill="var(--sand)" opacity="0.55" />
      <path d="M56 112V60a24 24 0 0 1 48 0v52Z" fill="var(--surface)" />
      <circle cx="128" cy="26" r="11" fill="var(--clay)" opacity="0.8" />
      <path
        d="M80 112V88m0 6c-8 0-12-5-12-11 8 0 12 4 12 11Zm0-6c8 0 11-5 11-10-7 0-11 4-11 10Z"
        fill="var(--olive)"
        stroke="var(--olive)"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function FallenColumn({ className }: IllustrationProps) {
  return (
    <svg viewBox="0 0 160 120" aria-hidden="true" className={className}>
      <path d="M8 112h144" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
      <g fill="var(--sand)" stroke="var(--edge)" strokeWidth="2" strokeLinejoin="round">
        <path d="M26 104h32v8H26zM30 104V62l6-5 5 6 6-8 7 7v42Z" />
        <path d="m74 112 6-26 50 12-3 14Z" />
        <path d="m128 112 5-22 12 3-3 19Z" fill="var(--clay)" />
      </g>
      <path
        d="M38 102V68m8 34V66M82 106l42 6M84 96l44 10"
        stroke="var(--edge)"
        strokeWidth="1.6"
        opacity="0.6"
      />
      <circle cx="64" cy="34" r="10" fill="var(--clay)" opacity="0.75" />
    </svg>
  );
}
