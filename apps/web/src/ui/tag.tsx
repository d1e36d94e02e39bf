export const tagClass = 'bg-accent-soft text-accent-strong rounded-full px-3 py-0.5 text-sm font-medium';

export function Tag({ children }: { children: string }) {
  return <span className={tagClass}>{children}</span>;
}

export function Tags({ names, label }: { names: readonly string[]; label: string }) {
  if (names.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li key={name}>
          <Tag>{name}</Tag>
        </li>
      ))}
    </ul>
  );
}
