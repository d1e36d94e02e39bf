import type { IncomingHttpHeaders } from 'node:http';
import { accountActions } from './account-actions.ts';
import { formAddress } from './form-rules.ts';
import { claimsOf } from '../proxy/token-claims.ts';

/** The purposes that the site names in the address of a log-in. */
const named = ['delete-account', 'export-account', 'payment-link', 'decision', 'email-changed'] as const;
/** The purpose of a mailed link whose result page has its own text. */
const emailProof = 'VERIFY_EMAIL';
const purposes: readonly string[] = [...accountActions, ...named, emailProof];

const purposeParameter = 'stoa_for';

/** The purpose of a log-in, or of its result page, from the address. */
export function purposeOf(query: URLSearchParams): string | undefined {
  const [action] = (query.get('kc_action') ?? '').split(':');
  return purposes.find((purpose) => purpose === (action || query.get(purposeParameter)));
}

/**
 * Shows the text for a purpose and hides the general one. Keycloak does not pass the purpose of a log-in to its templates,
 * so each page contains the text for every purpose, hidden (`purpose.ftl`).
 */
export function showPurpose(html: string, purpose: string | undefined): string {
  const wanted = `data-purpose="${purpose}" hidden`;
  if (purpose === undefined || !html.includes(wanted)) return html;
  return html
    .replaceAll(wanted, `data-purpose="${purpose}"`)
    .replaceAll('data-purpose="none"', 'data-purpose="none" hidden');
}

/**
 * Adds the purpose of a mailed link to the redirect that answers it. Only the token of the link contains the purpose, and
 * the next page does not receive the token.
 */
export function withPurpose(token: string | null, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { location } = headers;
  const isSuccess = location?.includes('?') && formAddress(location).action === 'required-action';
  if (!isSuccess || claimsOf(token)['typ'] !== 'verify-email') return headers;
  return { ...headers, location: `${location}&${purposeParameter}=${emailProof}` };
}
