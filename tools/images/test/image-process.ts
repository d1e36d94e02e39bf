import { freePorts } from '@stoa/system';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const startMs = 60_000;

/**
 * Starts an assembled app as its container does, under Node's permission model. It may read files and open
 * connections, but neither write files nor start programs, so it needs no shell and no writable disk.
 */
export async function startImage(folder: string, app: string, environment: Record<string, string>) {
  const ports = await freePorts();
  const port = app === 'gateway' ? ports.site : undefined;
  const child = spawn(
    process.execPath,
    [
      ...['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'],
      ...['--import', '@stoa/telemetry/register', 'dist/main.js'],
    ],
    {
      cwd: join(folder, 'apps', app),
      env: {
        ...environment,
        HEALTH_PORT: String(ports.health),
        ...(app === 'edge' && { SIGN_IN_PORT: String(ports.keycloak), MEDIA_PORT: String(ports.minio) }),
        ...(port && { PORT: String(port), WEB_ROOT: join(folder, 'apps/web/dist') }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const ended = once(child, 'exit');

  return {
    /** Its HTTP ports other than the health port. */
    ports: app === 'edge' ? [ports.keycloak, ports.minio] : port ? [port] : [],
    /** A page of the site; only the gateway's image serves it. */
    page: async (path: string) => port && (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    exitCode: () => child.exitCode,
    /** Waits for the first successful readiness answer. */
    async ready(): Promise<unknown> {
      const deadline = Date.now() + startMs;
      while (child.exitCode === null && Date.now() < deadline) {
        const answer = await fetch(`http://127.0.0.1:${ports.health}/health/ready`).catch(() => undefined);
        if (answer?.ok) return answer.json();
        await pause(100);
      }
      throw new Error(`${app} did not become ready:\n${output}`);
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
