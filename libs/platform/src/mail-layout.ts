import { limits, publicName } from '@stoa/contracts';

/** A paragraph, a quotation of another person, or the one call to action. */
export type MailPart =
  string | { readonly quote: string } | { readonly action: string; readonly url: string };

export interface MailContent {
  readonly subject: string;
  readonly parts: readonly MailPart[];
  /** The text below the signature separator. */
  readonly footer?: string;
}

/** The text and HTML versions of a mail, with the same content. All parts are untrusted. */
export function layOutMail(mail: MailContent): { subject: string; text: string; html: string } {
  return { subject: mail.subject, text: textOf(mail), html: htmlOf(mail) };
}

// What mail programs turn into a link: a host in any script, an address of any scheme, a mailbox. Joiners belong to
// words.
const inHost = String.raw`[\p{L}\p{M}\p{N}\p{S}\p{Join_C}_-]`;
const linkLike = new RegExp(String.raw`${inHost}[.\u3002\uff0e\uff61]${inHost}{2}|\S[:@]\S`, 'u');

/**
 * How a mail greets the owner of an account. An intruder can change the display name. A name that is invalid, or that
 * mail programs would turn into a link, is therefore left out.
 */
export function greetingOf(displayName: string | null): string {
  const name = publicName(limits.displayNameLength).safeParse(displayName);
  return name.success && !linkLike.test(name.data) ? `Hello ${name.data},` : 'Hello,';
}

/** The sender of a mail; the name is Stoa where the setting has an address alone. */
export function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name: name || 'Stoa', address: address ?? from.trim() };
}

function textOf({ parts, footer }: MailContent): string {
  const paragraphs = parts.map((part) => {
    if (typeof part === 'string') return part;
    return 'quote' in part ? part.quote : part.url;
  });
  return `${paragraphs.join('\n\n')}\n${footer ? `\n-- \n${footer}\n` : ''}`;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '');

// Gives each line of a quotation its own text direction.
const paragraph = (text: string, style = '') =>
  `<p dir="auto" style="margin:0 0 16px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext${style}">${escaped(text)}</p>`;

function htmlOfPart(part: MailPart): string {
  if (typeof part === 'string') return paragraph(part);
  if ('quote' in part)
    return `<blockquote class="quote" style="margin:0 0 16px;padding:0 0 0 16px;border-inline-start:3px solid #d4c8b6">${paragraph(part.quote, ';margin:0')}</blockquote>`;
  // Only addresses of this site.
  const url = escaped(new URL(part.url).href);
  return `<p style="margin:0 0 12px"><a class="button" href="${url}" style="display:inline-block;padding:12px 22px;border-radius:999px;background:#a8480f;color:#fffaf3;font-weight:600;text-decoration:none">${escaped(part.action)}</a></p>
<p class="small" style="margin:0 0 16px;color:#645b51;font-size:14px;overflow-wrap:anywhere">${url}</p>`;
}

/**
 * The layout of Keycloak's mails (deploy/keycloak/themes/stoa/email). Mail programs without media queries show the
 * light colours of the style attributes. It loads nothing.
 */
function htmlOf({ subject, parts, footer }: MailContent): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .paper { background: #13100d !important; }
  .card { background: #241f1a !important; border-color: #4d443a !important; color: #f4eee5 !important; }
  .quote { border-color: #4d443a !important; }
  .brand { color: #f4eee5 !important; }
  .small { color: #b8ad9f !important; }
  .button { background: #f29a5e !important; color: #231204 !important; }
}
</style>
</head>
<body style="margin:0;background:#f7f2e9">
<div class="paper" role="main" style="padding:32px 16px;background:#f7f2e9">
<div style="max-width:520px;margin:0 auto;font:17px/1.6 Figtree,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">
<h1 class="brand" style="margin:0 0 16px;color:#1d1813;font:600 26px/1.2 Fraunces,'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif">Stoa</h1>
<div class="card" style="padding:28px 28px 12px;border:1px solid #d4c8b6;border-radius:16px;background:#fffefb;color:#1d1813">
${parts.map(htmlOfPart).join('\n')}
</div>
${footer ? `<p class="small" style="margin:16px 0 0;color:#645b51;font-size:14px;white-space:pre-wrap;overflow-wrap:anywhere">${escaped(footer)}</p>` : ''}
</div>
</div>
</body>
</html>
`;
}
