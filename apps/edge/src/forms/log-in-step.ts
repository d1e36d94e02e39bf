import { createHmac, timingSafeEqual } from 'node:crypto';
import { changeTags, tagsOf } from './page-tags.ts';

/** What the proxy knows about a page of a log-in. */
export interface LogInStep {
  /** Username or address of the account that Keycloak has selected; null on a page where the visitor types it. */
  readonly account: string | null;
  /** Keycloak's id of the account's first authenticator. It does not depend on the name that the visitor typed. */
  readonly factor: string | null;
  /** What the user wants to do after the log-in, such as `delete-account`, if the first page named it. */
  readonly purpose?: string;
}

const parameter = 'stoa_step';

/**
 * Adds a signed mark with the selected account to the address of each form. An attempt then counts against this account, even
 * if the form names another one. The signature includes Keycloak's session code, which is valid once.
 */
export class LogInSteps {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Adds the mark to the address of each form in the page. All other text stays, because a visitor may have chosen it. */
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

  /** Returns the step from the mark in the address; undefined if the mark is missing or forged. */
  verify(url: string): LogInStep | undefined {
    const { path, query } = partsOf(url);
    const [payload = '', mac = ''] = (query.get(parameter) ?? '').split('.');
    const expected = Buffer.from(this.#mac(path, query.get('session_code') ?? '', payload));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as LogInStep;
  }

  // The signature includes the path, because Keycloak accepts the form of one flow at the address of another.
  #mac(path: string, code: string, payload: string): string {
    const [, action = ''] = /\/login-actions\/([\w-]+)$/.exec(path) ?? [];
    return createHmac('sha256', this.#secret).update(`step ${action} ${code} ${payload}`).digest('base64url');
  }
}

function partsOf(url: string): { path: string; query: URLSearchParams } {
  const [path = '', query] = url.split(/\?(.*)/s);
  return { path, query: new URLSearchParams(query) };
}

/** Whether the step may post these fields. Keycloak requests a code only after it has selected an account. */
export const stepAllows = ({ account }: LogInStep, fields: URLSearchParams): boolean =>
  account !== null || !(fields.has('otp') || fields.has('recoveryCodeInput'));

/** The address at which Keycloak shows the page of the step again. */
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
