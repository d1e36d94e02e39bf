import { createHmac, timingSafeEqual } from 'node:crypto';
import { changeTags, tagsOf } from './page-tags.ts';

/** One step of a log-in: the account that Keycloak has selected, and the authenticator of a page for codes. */
export interface LogInStep {
  /** The name of the account; null on a page where the visitor types it. */
  readonly account: string | null;
  /** The id of the account's first authenticator. It is the same for each name of the account. */
  readonly factor: string | null;
  /** The purpose of the log-in, if its first page named one. */
  readonly purpose?: string;
}

const parameter = 'stoa_step';

/**
 * Marks the forms of a log-in with the account that Keycloak has selected. Attempts then count against that account, not
 * against one that a form names. The signed mark is a parameter of the form's address, so the proxy keeps no state. It covers
 * the session code, which Keycloak accepts once, so it fits no other step.
 */
export class LogInSteps {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The page with a mark in the address of each form. Other text is unchanged, since a visitor may have chosen it. */
  mark(html: string, purpose?: string): string {
    const step: LogInStep = { ...stepOf(html), ...(purpose !== undefined && { purpose }) };
    const payload = Buffer.from(JSON.stringify(step)).toString('base64url');
    return changeTags(html, ({ name, attributes }) => {
      const address = name === 'form' ? attributes.get('action') : undefined;
      const [whole, path, code] =
        /^([^?#]*\/login-actions\/[\w-]+)\?session_code=([\w-]+)/.exec(address ?? '') ?? [];
      if (!address || whole === undefined || path === undefined || code === undefined) return undefined;
      const mark = `&${parameter}=${payload}.${this.#mac(path, code, payload)}`;
      return { attribute: 'action', value: whole + mark + address.slice(whole.length) };
    });
  }

  /** The step that the mark of this address names; undefined without a valid mark. */
  verify(url: string): LogInStep | undefined {
    const { path, query } = partsOf(url);
    const [payload = '', mac = ''] = (query.get(parameter) ?? '').split('.');
    const expected = Buffer.from(this.#mac(path, query.get('session_code') ?? '', payload));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as LogInStep;
  }

  // Keycloak accepts the form of one flow at the address of another, so the mark covers the address too.
  #mac(path: string, code: string, payload: string): string {
    const [, action = ''] = /\/login-actions\/([\w-]+)$/.exec(path) ?? [];
    return createHmac('sha256', this.#secret).update(`step ${action} ${code} ${payload}`).digest('base64url');
  }
}

function partsOf(url: string): { path: string; query: URLSearchParams } {
  const [path = '', query] = url.split(/\?(.*)/s);
  return { path, query: new URLSearchParams(query) };
}

/** Whether this step may post these fields: Keycloak requests a code only after it has selected an account. */
export const stepAllows = ({ account }: LogInStep, fields: URLSearchParams): boolean =>
  account !== null || !(fields.has('otp') || fields.has('recoveryCodeInput'));

/** The address that shows the page of a step again. */
export function stepPageAddress(url: string): string {
  const { path, query: kept } = partsOf(url);
  for (const name of [parameter, 'session_code', 'execution', 'auth_session_id']) kept.delete(name);
  return `${path}?${kept.toString()}`;
}

function stepOf(html: string): LogInStep {
  const tags = tagsOf(html);
  const of = (tag: string, attribute: string) =>
    tags.flatMap(({ name, attributes }) => (name === tag && attributes.get(attribute)) || [])[0] ?? null;
  const asksForName = tags.some(
    ({ name, attributes }) => name === 'input' && attributes.get('name') === 'username',
  );
  return { account: asksForName ? null : of('body', 'data-account'), factor: of('form', 'data-factor') };
}
