import { paths, patterns } from './pages.ts';
import { previewPaths, previewPatterns, roomPaths } from './preview-pages.ts';

/** Whether the web app has a page at `path`. The gateway answers other paths with 404. */
export function isPage(path: string): boolean {
  const files: readonly string[] = [paths.authSilent, patterns.everythingElse];
  const previews = [
    ...Object.values(previewPaths),
    ...Object.values(previewPatterns),
    ...Object.values(roomPaths),
  ];
  return [...Object.values(paths), ...Object.values(patterns), ...previews].some(
    (pattern) => typeof pattern === 'string' && !files.includes(pattern) && expressionOf(pattern).test(path),
  );
}

/** Matches like React Router: case-insensitive, with an optional trailing slash. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('/').filter(Boolean);
  const written = parts.map((part) =>
    part.startsWith(':') ? (part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+') : `/${part}`,
  );
  return new RegExp(`^${written.join('')}/?$`, 'i');
}
