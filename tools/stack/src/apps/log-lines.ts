const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/** One readable line for a line of an app's log, or undefined when it is not worth a look. */
export function readableLine(app: string, line: string, verbose: boolean): string | undefined {
  const entry = parse(line);
  if (!entry) {
    // Not from the logger: Node's own last words, for example.
    return verbose || /^\w*(Error|Warning)\b/.test(line) ? `${app}: ${line}` : undefined;
  }
  const level = typeof entry.level === 'number' ? entry.level : 30;
  if (!verbose && level < 40) return undefined;
  const error = entry.err as { message?: string } | undefined;
  const said = [entry.context, entry.msg, error?.message].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  const text = [...new Set(said)].join(': ').replaceAll(/\s+/g, ' ').slice(0, 300);
  return `${app}: ${levels[level] ? `${levels[level]}: ` : ''}${text}`;
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
