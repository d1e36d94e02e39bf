import type { IncomingHttpHeaders } from 'node:http';
import { accountActions } from './asked-action.ts';
import { claimsOf } from './token-claims.ts';

/** What the site names in the address of a log-in: why it asks for one. */
const named = ['delete-account', 'export-account', 'payment-link', 'decision', 'email-changed'] as const;
/** What a link of a mail is for, where the outcome depends on it. */
const emailProof = 'VERIFY_EMAIL';
const purposes: readonly string[] = [...accountActions, ...named, emailProof];

const purposeParameter = 'stoa_for';

/** What a log-in or its outcome is for, by the address that began it. */
export function purposeOf(query: URLSearchParams): string | undefined {
  const [action] = (query.get('kc_action') ?? '').split(':');
  return purposes.find((purpose) => purpose === (action || query.get(purposeParameter)));
}

/**
 * The page with the words for its purpose in place of those without one. Keycloak does not pass to its templates what a
 * log-in is for, so they hold the words for each purpose, hidden (`purpose.ftl`).
 */
export function showPurpose(html: string, purpose: string | undefined): string {
  const wanted = `data-purpose="${purpose}" hidden`;
  if (purpose === undefined || !html.includes(wanted)) return html;
  return html
    .replaceAll(wanted, `data-purpose="${purpose}"`)
    .replaceAll('data-purpose="none"', 'data-purpose="none" hidden');
}

/** An answer to a link of a mail. Its token alone knows what the link is for: the page that it leads to gets that in its address. */
export function withPurpose(token: string | null, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { location } = headers;
  const leadsOn = location !== undefined && /\/login-actions\/required-action\?/.test(location);
  if (!leadsOn || claimsOf(token)['typ'] !== 'verify-email') return headers;
  return { ...headers, location: `${location}&${purposeParameter}=${emailProof}` };
}
