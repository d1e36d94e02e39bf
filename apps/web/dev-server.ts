import { type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Plugin, ViteDevServer } from 'vite';
import { renderScreens, screensPath } from './dev-screens.ts';

/**
 * The development server has the site's origin, and forwards all but the web app's own files to the gateway.
 * So a page has the same status, head, configuration and answers as in production. Its code comes from the
 * sources.
 */
export function devServer(gatewayUrl = 'http://127.0.0.1:8090'): Plugin {
  return {
    name: 'dev-server',
    apply: 'serve',
    config: () => ({
      appType: 'custom',
      // CORS is off, since the gateway answers preflights as in production.
      server: {
        host: '127.0.0.1',
        port: Number(process.env.STOA_PORT ?? 8080),
        strictPort: true,
        cors: false,
      },
    }),
    configureServer(server) {
      server.middlewares.use(screensPath, (_, response) => void sendScreens(gatewayUrl, response));
      return () =>
        server.middlewares.use((request, response) => forward(gatewayUrl, server, request, response));
    },
  };
}

function forward(
  gatewayUrl: string,
  server: ViteDevServer,
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
): void {
  const address = request.originalUrl ?? request.url ?? '/';
  // Clients other than browsers, such as crawlers, get the page that the server renders.
  const isPage = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
  // The page is changed in transit, so it must not be compressed.
  const headers = { ...request.headers, ...(isPage && { 'accept-encoding': 'identity' }) };
  const onward = ask(new URL(address, gatewayUrl), { method: request.method, headers }, (answer) => {
    if (isPage && answer.headers['content-type']?.startsWith('text/html'))
      void sendPage(server, address, answer, response);
    else {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    }
  });
  onward.on('error', () => {
    // The gateway restarts after a change. The browser retries after a second.
    if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain', refresh: '1' });
    response.end('The gateway does not answer.');
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

async function sendPage(
  server: ViteDevServer,
  address: string,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const page = await text(answer);
    const html = page.includes('<div id="root">')
      ? await server.transformIndexHtml(address, fromSources(page))
      : page;
    // Vite writes inline scripts, and its code changes without the page.
    const kept = Object.entries(answer.headers).filter(
      ([name]) => !/^(content-security-policy|content-length|etag|transfer-encoding)$/.test(name),
    );
    response
      .writeHead(answer.statusCode ?? 502, { ...Object.fromEntries(kept), 'cache-control': 'no-store' })
      .end(html);
  } catch (error) {
    server.config.logger.error(String(error));
    response.destroy();
  }
}

/** Removes the built files from the gateway's page. The browser then renders it from the sources. */
export function fromSources(page: string): string {
  return page
    .replace(/<template id="code">.*?<\/template>/s, '')
    .replaceAll(/<script[^>]*\ssrc="\/assets\/[^>]*><\/script>/g, '')
    .replaceAll(/<link[^>]*\shref="\/assets\/[^>]*>/g, '')
    .replace(/<div id="root">.*<\/div>(?=<script id="stoa-answers")/s, '<div id="root"></div>')
    .replace('</body>', '<script type="module" src="/src/main.tsx"></script></body>');
}

async function sendScreens(gatewayUrl: string, response: ServerResponse): Promise<void> {
  try {
    const config = await fetch(new URL('/api/config', gatewayUrl));
    const { keycloak } = (await config.json()) as { keycloak: { url: string; realm: string } };
    const realm = `${keycloak.url}/realms/${keycloak.realm}`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(renderScreens(realm));
  } catch {
    response.writeHead(502, { 'content-type': 'text/plain' }).end('The gateway does not answer.');
  }
}
