import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a page of Keycloak asks about: whose account it has chosen, and of the page for codes by which authenticator. */
export interface LogInStep {
  /** The name of the account; null on a page where the name is typed. */
  readonly account: string | null;
  /** The id of the account's first authenticator: the same by whichever name one logs in. */
  readonly factor: string | null;
  /** What the log-in is for, if its first page said so. */
  readonly purpose?: string;
}

const parameter = 'stoa_step';

/**
 * Marks the forms of a log-in with the account that Keycloak shows, so that tries are counted against the account which
 * Keycloak tries, not against one that a form names. Keycloak takes each session code once and makes a new one for each
 * step, so a mark fits no other step. It travels in the address of the form: nothing is kept here.
 */
export class LogInSteps {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The same page with its forms marked. */
  mark(html: string, purpose?: string): string {
    const step: LogInStep = { ...stepOf(html), ...(purpose !== undefined && { purpose }) };
    const payload = Buffer.from(JSON.stringify(step)).toString('base64url');
    return html.replaceAll(
      /(\/login-actions\/[\w-]+)\?session_code=([\w-]+)/g,
      (whole, path: string, code: string) =>
        `${whole}&amp;${parameter}=${payload}.${this.#mac(path, code, payload)}`,
    );
  }

  /** The step that a form with this address belongs to; undefined when its page was not marked here for this address. */
  of(url: string): LogInStep | undefined {
    const { path, query } = partsOf(url);
    const [payload = '', mac = ''] = (query.get(parameter) ?? '').split('.');
    const expected = Buffer.from(this.#mac(path, query.get('session_code') ?? '', payload));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as LogInStep;
  }

  // Keycloak takes the form of one flow at the address of another, so a mark counts at one address.
  #mac(path: string, code: string, payload: string): string {
    const [, action = ''] = /\/login-actions\/([\w-]+)$/.exec(path) ?? [];
    return createHmac('sha256', this.#secret).update(`step ${action} ${code} ${payload}`).digest('base64url');
  }
}

function partsOf(url: string): { path: string; query: URLSearchParams } {
  const [path = '', query] = url.split(/\?(.*)/s);
  return { path, query: new URLSearchParams(query) };
}

/** The address of a step's page, to show it anew. */
export function pageOfStep(url: string): string {
  const { path, query: kept } = partsOf(url);
  for (const name of [parameter, 'session_code', 'execution', 'auth_session_id']) kept.delete(name);
  return `${path}?${kept.toString()}`;
}

function stepOf(html: string): LogInStep {
  const asksForName = /<input[^>]*\sname="username"/.test(html);
  return {
    account: asksForName ? null : attributeOf(html, 'data-account'),
    factor: attributeOf(html, 'data-factor'),
  };
}

// Only the tag of the page's own frame and form: what somebody typed stands in the page with its signs escaped.
function attributeOf(html: string, name: string): string | null {
  const value = new RegExp(`<(?:body|form)\\b[^>]*\\s${name}="([^"]*)"`).exec(html)?.[1];
  return value ? unescaped(value) : null;
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
/** A text as it stood before it was put into a page. */
export const unescaped = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? '');
