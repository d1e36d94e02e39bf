import { documentTitle } from '@stoa/contracts';
import { closedPolicy, policyText } from '@stoa/platform';
import { createHash } from 'node:crypto';
import type { Area } from './area.ts';
import { html, Html } from './html.ts';

const words: Partial<Record<number, [title: string, text: string]>> = {
  400: ['This address cannot be read', 'Please check how it is written.'],
  404: ['Page not found', 'There is nothing at this address.'],
  405: ['This cannot be done here', 'Please go back and try again.'],
  408: ['That took too long', 'Please check your connection and try again.'],
  413: ['That is too much at once', 'Please send less.'],
  414: ['This address is too long', 'Please check how it is written.'],
  429: ['Too many requests', 'Please try again in a minute.'],
  431: ['Your browser sent too much', 'Removing the cookies of this site may help.'],
  503: ['Not available right now', 'Please try again in a moment.'],
};

const style = `:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}h1{font-family:Georgia,serif;font-weight:400}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The content policy of an error page: no files, no scripts, and only its own style. */
export const errorPagePolicy = policyText({ ...closedPolicy, 'style-src': [`'sha256-${styleHash}'`] });

/** An error page in HTML. It does not load the web app, because that would add load to an overloaded server. */
export function errorPage(status: number): string {
  const [title, text] = words[status] ?? [
    status < 500 ? 'This cannot be done' : 'Something went wrong',
    'Please try again.',
  ];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${documentTitle(title)}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
          <p><a href="/">Stoa</a></p>
        </main>
      </body>
    </html>`.text;
}

/** Whether a browser navigates to a page: only such requests accept HTML. */
export function wantsPage(area: Area, accept: string | undefined): boolean {
  return area !== 'api' && /(^|[,\s])text\/html\b/i.test(accept ?? '');
}
