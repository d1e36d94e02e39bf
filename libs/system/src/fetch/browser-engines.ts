import { existsSync, globSync } from 'node:fs';
import type { Task } from '../progress.ts';
import { installPackages } from './debian-packages.ts';

/** A browser besides Chromium, as Debian packages it: no other registry has it. */
interface Engine {
  readonly name: 'Firefox' | 'WebKit';
  readonly packages: readonly string[];
  readonly isHere: () => boolean;
}

/** What drives WebKitGTK: its browser needs a screen, the driver speaks WebDriver. */
export interface WebKit {
  readonly driver: string;
  readonly browser: string;
  readonly screen: string;
}

const first = (files: readonly string[]) => files.find((file) => existsSync(file));

/** Firefox, which speaks WebDriver BiDi itself: the one that STOA_FIREFOX names, or Debian's. */
export const firefox = (): string | undefined => process.env.STOA_FIREFOX ?? first(['/usr/bin/firefox-esr']);

/** WebKitGTK as Debian and Ubuntu lay it out. */
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

/** Says for each engine that is not here what is left out, and the way to it. */
export const missingEngines = (): string[] =>
  engines
    .filter(({ isHere }) => !isHere())
    .map(
      ({ name, packages }) =>
        `${name} is not installed, so its journeys are skipped: Debian has it as ${packages.join(' and ')} ("npm run stoa build-program engines" as root).`,
    );

/**
 * Installs the engines that are not here. Debian keeps one version of each alone, the one with the latest mends, so none
 * is pinned.
 */
export const installEngines = (task: Task): Promise<void> =>
  installPackages(
    task,
    engines.filter(({ isHere }) => !isHere()),
  );
