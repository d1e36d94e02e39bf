/** A door under an arch, legible at 16 pixels. The same drawing as `public/favicon.svg`. */
export function BrandMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" fill="var(--accent)" className={className}>
      <path d="M3 30V15a13 13 0 0 1 26 0v15h-4V15a9 9 0 0 0-18 0v15ZM10 30V16a6 6 0 0 1 12 0v14Z" />
    </svg>
  );
}
