import type { LaunchOptions } from '@playwright/test';
import { join } from 'node:path';

/** As root Chromium has no sandbox, and the tests need no GPU. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-webgl',
  '--font-render-hinting=none',
  // A test talks to the system and to nobody else.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-default-browser-check',
];

/** Starts the browser of `installChromium`, or that of STOA_CHROMIUM. */
export function launchOptions(): LaunchOptions {
  const { STOA_CHROMIUM: executablePath, STOA_CHROMIUM_FOLDER: folder } = process.env;
  return { executablePath, args: flags, env: folder ? environment(folder) : undefined };
}

/** The fetched browser brings fonts, and libraries for a machine that lacks them. */
export function environment(folder: string): Record<string, string> {
  const { LD_LIBRARY_PATH } = process.env;
  const libraries = [LD_LIBRARY_PATH, join(folder, 'al2023/lib')].filter(Boolean).join(':');
  return {
    ...(process.env as Record<string, string>),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    // Chromium and fontconfig write to the home directory; here it is in the cache.
    HOME: join(folder, 'home'),
    XDG_CACHE_HOME: join(folder, 'home/cache'),
    XDG_CONFIG_HOME: join(folder, 'home/config'),
    ...(process.env.STOA_CHROMIUM_LIBRARIES && { LD_LIBRARY_PATH: libraries }),
  };
}

/** Where the program lies in its folder. */
export const programIn = (folder: string): string => join(folder, 'chromium');
