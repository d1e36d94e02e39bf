import { existsSync, globSync } from 'node:fs';
import type { Task } from '../progress.ts';
import { installPackages } from './debian-packages.ts';

/** A browser engine other than Chromium. Only Debian packages it; no npm package contains it. */
interface Engine {
  readonly name: 'Firefox' | 'WebKit';
  readonly packages: readonly string[];
  readonly isHere: () => boolean;
}

/** The programs that drive WebKitGTK: the browser needs a display, and the driver implements WebDriver. */
export interface WebKit {
  readonly driver: string;
  readonly browser: string;
  readonly screen: string;
}

const first = (files: readonly string[]) => files.find((file) => existsSync(file));

/** The path of Firefox, which implements WebDriver BiDi itself: from STOA_FIREFOX, or Debian's. */
export const firefox = (): string | undefined => process.env.STOA_FIREFOX ?? first(['/usr/bin/firefox-esr']);

/** WebKitGTK as installed by the packages of Debian and Ubuntu. */
export function webKit(): WebKit | undefined {
  const driver = first(['/usr/bin/WebKitWebDriver']);
  const browser = globSync(
    '/usr/lib/*-linux-gnu/{webkit2gtk-4.1,webkitgtk-6.0,webkit2gtk-4.0}/MiniBrowser',
  )[0];
  const screen = first(['/usr/bin/Xvfb']);
  return driver && browser && screen ? { driver, browser, screen } : undefined;
}

const engines: readonly Engine[] = [
  { name: 'Firefox', packages: ['firefox-esr'], isHere: () => firefox() !== undefined },
  { name: 'WebKit', packages: ['webkit2gtk-driver', 'xvfb'], isHere: () => webKit() !== undefined },
];

/** A line for each missing engine: what is skipped without it, and how to install it. */
export const missingEngines = (): string[] =>
  engines
    .filter(({ isHere }) => !isHere())
    .map(
      ({ name, packages }) =>
        `${name} is not installed, so its journeys are skipped: Debian has it as ${packages.join(' and ')} ("npm run stoa build-program engines" as root).`,
    );

/** Installs the missing engines. Debian keeps only the newest version of each, so none is pinned. */
export const installEngines = (task: Task): Promise<void> =>
  installPackages(
    task,
    engines.filter(({ isHere }) => !isHere()),
  );
