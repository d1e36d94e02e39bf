import { waitFor } from '@stoa/system';
import type { WebKit } from '@stoa/system/fetch/browser-engines';
import { spawnTracked } from '@stoa/system/processes/spawn-tracked';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The browser of WebKit always shows its toolbar. With a small one, its window can be as narrow as a phone. */
const narrowBar =
  '* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; }\n';

/** A running WebKitWebDriver, with a virtual screen. */
export interface WebKitDriver {
  readonly url: string;
  /** Folder in which its browsers save files. */
  readonly downloads: string;
  readonly stop: () => void;
}

/** Starts a virtual screen and a driver, which keep settings and files in `home`. */
export async function startWebKitDriver({ driver, screen }: WebKit, home: string): Promise<WebKitDriver> {
  const style = join(home, '.config/gtk-3.0');
  const runtime = join(home, 'runtime');
  const downloads = join(home, 'Downloads');
  for (const folder of [style, runtime, downloads]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(style, 'gtk.css'), narrowBar);
  writeFileSync(join(home, '.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const display = spawnTracked(
    screen,
    ['-displayfd', '3', '-screen', '0', '1400x1200x24', '-nolisten', 'tcp'],
    process.env,
  );
  const [number] = (await Promise.race([
    once(display.said, 'data'),
    once(display.child, 'exit').then(() =>
      Promise.reject(new Error(`${screen} ended before it had a screen.`)),
    ),
  ])) as [Buffer];
  const port = await freePort();
  const driving = spawnTracked(driver, [`--port=${port}`], {
    ...process.env,
    DISPLAY: `:${String(number).trim()}`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local'),
    XDG_RUNTIME_DIR: runtime,
    LANGUAGE: 'en_GB',
    TZ: 'UTC',
    // Settings for a machine without a session bus and without a graphics card.
    NO_AT_BRIDGE: '1',
    GSETTINGS_BACKEND: 'memory',
    LIBGL_ALWAYS_SOFTWARE: '1',
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(() => fetch(`${url}/status`));
  return {
    url,
    downloads,
    stop: () => {
      driving.stop();
      display.stop();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
