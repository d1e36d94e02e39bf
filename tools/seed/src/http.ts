import { setTimeout as sleep } from 'node:timers/promises';

/** An answer other than success. */
export class HttpRefusal extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(what: string, status: number, detail: string) {
    super(`${what} was refused with ${status}: ${detail}`);
    this.status = status;
  }
}

const attempts = 6;
const unavailable = [502, 503, 504];

/** Waits before the next attempt: half a second, doubled each time, at most eight seconds. */
export const backoff = (attempt: number): Promise<void> => sleep(Math.min(8000, 500 * 2 ** attempt));

/** Whether a retry may help: there was no connection, or no service behind the gateway. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpRefusal) return unavailable.includes(error.status);
  // The errors of `fetch` without a connection, and after its timeout.
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

export interface Sending extends RequestInit {
  /** Whether the request is idempotent; only then is it retried after a failure. */
  repeatable: boolean;
}

/** A fetch that waits for rate limits and retries while the site is starting. */
export async function send(url: string, { repeatable, ...init }: Sending): Promise<Response> {
  const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt + 1 >= attempts;
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
      if (response.ok) return response;
      const body = await response.text();
      const wait = response.status === 429 ? waitOf(response) : undefined;
      if (last || wait === undefined) throw new HttpRefusal(what, response.status, detailOf(body));
      await sleep(wait);
    } catch (error) {
      if (last || !repeatable || !isTransient(error)) throw error;
      await backoff(attempt);
    }
  }
}

function waitOf(response: Response): number {
  const header = response.headers.get('retry-after') ?? '';
  const seconds = Number(header) || (Date.parse(header) - Date.now()) / 1000 || 5;
  return Math.min(90, Math.max(1, seconds)) * 1000;
}

/** The detail of a problem document; any other body shortened to a line. */
function detailOf(body: string): string {
  try {
    const { detail, title, errors } = JSON.parse(body) as Record<string, unknown>;
    return `${detail ?? title}${errors ? ` ${JSON.stringify(errors)}` : ''}`;
  } catch {
    return body.replace(/\s+/g, ' ').slice(0, 200);
  }
}
