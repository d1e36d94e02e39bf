import type { IncomingHttpHeaders } from 'node:http';
import { accountActions } from './account-actions.ts';
import { formAddress } from './form-rules.ts';
import { claimsOf } from '../proxy/token-claims.ts';

/** What a user wants to do after a log-in. The site puts one of these into the address of the log-in. */
const named = ['delete-account', 'export-account', 'payment-link', 'decision', 'email-changed'] as const;
/** The kind of mailed link whose result page has its own text. */
const emailProof = 'VERIFY_EMAIL';
const purposes: readonly string[] = [...accountActions, ...named, emailProof];

const purposeParameter = 'stoa_for';

/** Reads from an address what the log-in, or the page after it, is for. */
export function purposeOf(query: URLSearchParams): string | undefined {
  const [action] = (query.get('kc_action') ?? '').split(':');
  return purposes.find((purpose) => purpose === (action || query.get(purposeParameter)));
}

/**
 * Shows the text for the purpose instead of the general one. Keycloak's templates do not know the purpose, so each page
 * contains the texts for all purposes, hidden (`purpose.ftl`).
 */
export function showPurpose(html: string, purpose: string | undefined): string {
  const wanted = `data-purpose="${purpose}" hidden`;
  if (purpose === undefined || !html.includes(wanted)) return html;
  return html
    .replaceAll(wanted, `data-purpose="${purpose}"`)
    .replaceAll('data-purpose="none"', 'data-purpose="none" hidden');
}

/** Adds the purpose of a mailed link to the address of the redirect, because the next page does not get the link's token. */
export function withPurpose(token: string | null, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { location } = headers;
  const isSuccess = location?.includes('?') && formAddress(location).action === 'required-action';
  if (!isSuccess || claimsOf(token)['typ'] !== 'verify-email') return headers;
  return { ...headers, location: `${location}&${purposeParameter}=${emailProof}` };
}
