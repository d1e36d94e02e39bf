export function BrandMark({ className = 'size-9' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.1" strokeLinecap="round" strokeLinejoin="round">
        <path d="M6.5 10.5 16 5.5l9.5 5M7 26h18M9.5 22.5V17a3.2 3.2 0 0 1 6.4 0v5.5M16.1 22.5V17a3.2 3.2 0 0 1 6.4 0v5.5M9.5 22.5h13" />
      </g>
    </svg>
  );
}
