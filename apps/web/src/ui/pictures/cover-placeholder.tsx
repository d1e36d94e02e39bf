/** Shown for an offering without a cover. */
export function CoverPlaceholder() {
  return (
    <svg
      viewBox="0 0 240 160"
      aria-hidden="true"
      preserveAspectRatio="xMidYMid slice"
      className="h-full w-full"
    >
      <rect width="240" height="160" fill="var(--sand)" opacity="0.45" />
      <path
        d="M50 160V92a34 34 0 0 1 68 0v68ZM122 160V92a34 34 0 0 1 68 0v68Z"
        fill="var(--clay)"
        opacity="0.5"
      />
      <circle cx="206" cy="36" r="14" fill="var(--stone)" />
    </svg>
  );
}
