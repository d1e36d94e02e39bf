import type { LaunchOptions } from '@playwright/test';
import { join } from 'node:path';

/** Root cannot use Chromium's sandbox, and the tests need no graphics card. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-webgl',
  '--font-render-hinting=none',
  // Switches off requests to other servers, because a test may only connect to the system.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-default-browser-check',
];

/** Playwright's options for the browser that `installChromium` has chosen or STOA_CHROMIUM names. */
export function launchOptions(): LaunchOptions {
  const { STOA_CHROMIUM: executablePath, STOA_CHROMIUM_FOLDER: folder } = process.env;
  return { executablePath, args: flags, env: folder ? environment(folder) : undefined };
}

/** Environment of the downloaded browser, with its own fonts and, if the machine lacks some, its own libraries. */
export function environment(folder: string): Record<string, string> {
  const { LD_LIBRARY_PATH } = process.env;
  const libraries = [LD_LIBRARY_PATH, join(folder, 'al2023/lib')].filter(Boolean).join(':');
  return {
    ...(process.env as Record<string, string>),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    // Chromium and fontconfig write to the home directory. This one is in the cache.
    HOME: join(folder, 'home'),
    XDG_CACHE_HOME: join(folder, 'home/cache'),
    XDG_CONFIG_HOME: join(folder, 'home/config'),
    ...(process.env.STOA_CHROMIUM_LIBRARIES && { LD_LIBRARY_PATH: libraries }),
  };
}

/** Path of the program in the browser's folder. */
export const programIn = (folder: string): string => join(folder, 'chromium');
