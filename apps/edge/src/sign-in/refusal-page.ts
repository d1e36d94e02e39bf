import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { problem } from '../proxy/problem.ts';

interface Words {
  readonly title: string;
  readonly text: string;
  /** A link to a page of the site that helps the user. */
  readonly way?: { readonly path: string; readonly label: string };
}

const notHere: Words = { title: 'Page Not Found', text: 'There is nothing at this address.' };
const away: Words = {
  title: 'Sign-In Is Not Available',
  text: 'Signing in does not work at the moment. Please try again in a few minutes.',
};
const wrong: Words = {
  title: 'This Did Not Work',
  text: 'The request could not be read. Please start again.',
};

const wordsOf = (status: number): Words => {
  if (status === 404) return notHere;
  return status >= 500 ? away : wrong;
};

// The page contains its styles, because Keycloak may be down with its own.
const style = `
:root{color-scheme:light dark;--ground:#faf7f2;--ink:#241f1a;--accent:#9a3412}
@media(prefers-color-scheme:dark){:root{--ground:#171412;--ink:#f3ede4;--accent:#fdba74}}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto;padding:4rem 1.5rem}
a{color:var(--accent)}
`;
const styleHash = createHash('sha256').update(style).digest('base64');

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Answers browsers with a page, and programs with problem details. */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  siteUrl: string,
): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return problem(reply, status);
  return answerWithPage(reply, status, wordsOf(status), siteUrl);
}

const expired: Words = {
  title: 'This Link Has Expired',
  text: 'The password was changed after this link had been sent.',
  way: { path: '/forgot-password', label: 'Ask for a New Link' },
};

/** Answers 400 to a revoked link of a mail, as Keycloak answers a used link. */
export function refuseUsedLink(request: FastifyRequest, reply: FastifyReply, siteUrl: string): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return problem(reply, 400, expired.title);
  return answerWithPage(reply, 400, expired, siteUrl);
}

/** Answers 429. The response does not depend on whether the account exists. */
export function refuseRateLimited(
  request: FastifyRequest,
  reply: FastifyReply,
  retryAfter: number,
  siteUrl: string,
): FastifyReply {
  const minutes = Math.max(1, Math.ceil(retryAfter / 60));
  const text = `Too many tries. Please wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`;
  void reply.header('retry-after', String(retryAfter));
  if (!request.headers.accept?.includes('text/html')) return problem(reply, 429, text);
  return answerWithPage(reply, 429, { title: 'Too Many Tries', text }, siteUrl);
}

/** Answers with an error of OAuth (RFC 6749, 5.2). */
export const refuseGrant = (reply: FastifyReply, error: string) =>
  reply.code(400).header('cache-control', 'no-store').send({ error });

function answerWithPage(reply: FastifyReply, status: number, words: Words, siteUrl: string): FastifyReply {
  const frameAncestors = `frame-ancestors ${new URL(siteUrl).origin}`;
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-security-policy', `${policy}; ${frameAncestors}`)
    .type('text/html; charset=utf-8')
    .send(page(words, siteUrl));
}

const toLogIn = { path: '/login', label: 'Back to Log In' };
const page = ({ title, text, way = toLogIn }: Words, siteUrl: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p role="alert">${text}</p>
<p><a href="${new URL(way.path, siteUrl).href}">${way.label}</a></p>
</main>
</body>
</html>
`;
