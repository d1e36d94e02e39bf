import { existsSync, globSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { run } from '../processes/run.ts';
import type { Task } from '../progress.ts';

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

/** Whether packages can be installed without asking anybody. */
export const canInstallEngines = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Installs the engines that are not here. Debian keeps one version of each alone, the one with the latest mends, so none
 * is pinned; a wait for a server or for another run of apt has its end.
 */
export async function installEngines(task: Task): Promise<void> {
  const packages = engines.filter(({ isHere }) => !isHere()).flatMap((engine) => engine.packages);
  if (packages.length === 0) return;
  if (!canInstallEngines())
    throw new Problem(
      `Only root can install them: sudo apt-get install --no-install-recommends ${packages.join(' ')}`,
    );
  task.update('reading the list of packages');
  // An old list may still do.
  await apt(task, 120, 'update').catch(() => undefined);
  for (const { name, packages: wanted, isHere } of engines) {
    if (isHere()) continue;
    task.update(`installing ${name}`);
    await apt(task, 300, 'install', '--yes', '--no-install-recommends', ...wanted);
  }
}

async function apt(task: Task, seconds: number, ...args: readonly string[]): Promise<void> {
  const bounds = ['Acquire::http::Timeout=30', 'Acquire::Retries=2', 'DPkg::Lock::Timeout=60'];
  const options = bounds.flatMap((bound) => ['-o', bound]);
  let fetched = 0;
  await run('timeout', [`${seconds}`, 'apt-get', '--quiet', ...options, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    onLine: (line) => {
      const [, doing, name] = /^(Get:|Unpacking|Setting up) ?(\S+)/.exec(line) ?? [];
      if (doing === 'Get:') fetched += 1;
      if (doing === 'Get:' && fetched % 20 === 0) task.update(`${fetched} packages fetched`);
      else if (doing === 'Unpacking' && name && args.includes(name)) task.update(`unpacking ${name}`);
    },
  });
}
