// The mail catcher of parts without Docker: it accepts every mail, sends none, and shows them to people. For programs
// it implements the part of Mailpit's API that tests need, because containers use Mailpit.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const [folder = '', smtpPort, webPort] = process.argv.slice(2);
const maxMails = 500;

/** File names without their extension, in the order of the mails' times. */
const ids = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .map((name) => name.slice(0, -'.eml'.length));
const fileOf = (id: string) => join(folder, `${id}.eml`);

const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, done) {
    const written = buffer(stream).then((mail) => {
      const file = fileOf(`${Date.now()}-${randomUUID()}`);
      writeFileSync(`${file}.new`, mail);
      renameSync(`${file}.new`, file);
      for (const id of ids().slice(0, -maxMails)) {
        rmSync(fileOf(id));
        parsed.delete(id);
      }
    });
    // A mail that cannot be stored is refused.
    written.then(() => done(), done);
  },
});

/** Parsed mails: lists are requested often, and a mail never changes. */
const parsed = new Map<string, ReturnType<typeof parse>>();

function read(id: string): ReturnType<typeof parse> {
  const mail = parsed.get(id) ?? parse(id);
  parsed.set(id, mail);
  mail.catch(() => parsed.delete(id));
  return mail;
}

async function parse(id: string) {
  const {
    subject = '',
    from,
    to = [],
    text = '',
    html = '',
  } = await PostalMime.parse(readFileSync(fileOf(id)));
  const named = ({ name = '', address = '' }: Address) => ({ Name: name, Address: address });
  return { ID: id, Subject: subject, From: from && named(from), To: to.map(named), Text: text, HTML: html };
}

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`);

async function listOfMails(): Promise<string> {
  const mails = await Promise.all(ids().toReversed().map(read));
  const rows = mails.map(
    ({ ID, Subject, To }) =>
      `<tr><td><a href="/view/${ID}.html">${escaped(Subject)}</a><td>${escaped(To.map(({ Address }) => Address).join(', '))}<td><a href="/api/v1/message/${ID}/raw">source</a>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mail</title><style>body{font:16px/1.5 system-ui;margin:2rem}td{padding:.25rem 1rem .25rem 0}</style><h1>Mail</h1><table>${rows.join('')}</table>`;
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  const send = (type: string, body: string | Buffer) =>
    // Mails are untrusted: they may run no scripts and load nothing.
    response
      .writeHead(200, {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy':
          "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
      })
      .end(body);
  const [, , id = ''] = /^\/(view|api\/v1\/message)\/([\w-]+)/.exec(path) ?? [];
  if (path === '/') send('text/html', await listOfMails());
  else if (path === '/readyz') send('text/plain', 'ok');
  else if (path === '/api/v1/messages')
    send('application/json', JSON.stringify({ messages: await Promise.all(ids().toReversed().map(read)) }));
  else if (!ids().includes(id)) response.writeHead(404).end();
  else if (path.endsWith('/raw')) send('text/plain', readFileSync(fileOf(id)));
  else if (path.startsWith('/api/')) send('application/json', JSON.stringify(await read(id)));
  else {
    const { HTML, Text } = await read(id);
    send('text/html', HTML || `<pre>${escaped(Text)}</pre>`);
  }
}

const web = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  answer(pathname, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
smtp.listen(Number(smtpPort), '127.0.0.1');
web.listen(Number(webPort), '127.0.0.1');
