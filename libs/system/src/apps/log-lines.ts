const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * Returns a function that formats a log line of an app for people. It returns undefined for unimportant lines
 * and for repetitions within 5 s.
 */
export function readableLines(app: string, verbose: boolean): (line: string) => string | undefined {
  const quiet = 5_000;
  const recent = new Map<string, number>();
  return (line) => {
    const text = readable(line, verbose);
    if (!text) return undefined;
    const now = Date.now();
    for (const [other, at] of recent) if (now - at > quiet) recent.delete(other);
    // An app that has lost its database logs the same line many times a second.
    if (recent.has(text) && !verbose) return undefined;
    recent.set(text, now);
    return `${app}: ${text}`;
  };
}

function readable(line: string, verbose: boolean): string | undefined {
  const entry = parse(line);
  if (!entry) {
    // Lines that are not JSON come from Node itself, for example its message before it exits.
    return verbose || /^\w*(Error|Warning)\b/.test(line) ? line : undefined;
  }
  const level = typeof entry.level === 'number' ? entry.level : 30;
  if (!verbose && level < 40) return undefined;
  const error = entry.err as { message?: string } | undefined;
  const parts = [entry.context, entry.msg ?? entry.message, error?.message];
  const text = [...new Set(parts.filter((part) => typeof part === 'string' && part !== ''))].join(': ');
  return `${levels[level] ? `${levels[level]}: ` : ''}${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
