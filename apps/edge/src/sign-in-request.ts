import type { FastifyRequest } from 'fastify';

/** What Keycloak is handed of the headers of a request. */
export const asked = [
  'accept',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'origin',
  'referer',
  'traceparent',
  'user-agent',
];
// Pages are read here, so they come as they are.
export const askedOfFiles = [...asked, 'accept-encoding'];
export const posted = [...asked, 'content-type', 'content-length'];

export const keyOf = ({ raw }: FastifyRequest) =>
  new URLSearchParams((raw.url ?? '').split(/\?(.*)/s)[1]).get('key');
export const queryOf = ({ raw }: FastifyRequest) => (raw.url ?? '').split(/\?(.*)/s)[1] ?? '';
export const isBeginning = ({ routeOptions }: FastifyRequest) =>
  /\/openid-connect\/(auth|registrations)$/.test(routeOptions.url ?? '');
export const isRegistration = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.endsWith('/openid-connect/registrations') ?? false;
export const isFile = ({ raw }: FastifyRequest) => raw.url?.startsWith('/resources/') ?? false;

/** As much as is read of what the upstream answered. */
export interface Answer {
  readonly headers: { readonly location?: string; readonly 'content-type'?: string };
  readonly stream: NodeJS.ReadableStream;
}

/** What is different about a request that is forwarded, and its answer. */
export interface Forwarding {
  readonly body?: Buffer;
  /** Takes the answer first, and may read it. */
  readonly onAnswer?: (answer: Answer) => Promise<Buffer | void>;
  /** Changes the page that is answered. */
  readonly edit?: (html: string) => string;
}

/** A log-in form whose password has several spellings. */
export interface SpeltLogIn {
  readonly form: URLSearchParams;
  readonly spellings: readonly string[];
  readonly settle: (location: string | undefined) => Promise<void>;
}
