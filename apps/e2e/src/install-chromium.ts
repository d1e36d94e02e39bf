import { cached, inRepository, plainReporter } from '@stoa/system';
import { installLocked } from '@stoa/system/fetch/locked-packages';
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';
import { environment, programIn } from './chromium.ts';

const run = promisify(execFile);
const locked = inRepository('apps/e2e/chromium');

interface Pinned {
  readonly dependencies: { readonly '@sparticuz/chromium': string };
}

/** Chooses the browser for this run: STOA_CHROMIUM, or a fixed version, which is downloaded once. */
export async function installChromium(log: (line: string) => void): Promise<void> {
  if (process.env.STOA_CHROMIUM) return;
  const { dependencies } = JSON.parse(readFileSync(join(locked, 'package.json'), 'utf8')) as Pinned;
  const version = dependencies['@sparticuz/chromium'];
  const task = plainReporter(log).task('Chromium');
  const folder = await cached(`chromium-${version}`, task, async (target) => {
    const packages = await installLocked('Chromium', { locked, target, task });
    task.update(`unpacking ${version}`);
    await unpack(join(packages, '@sparticuz/chromium/bin'), target);
    rmSync(packages, { recursive: true });
  });
  writeFileSync(join(folder, 'fonts.conf'), fontsConfiguration);
  process.env.STOA_CHROMIUM_FOLDER = folder;
  process.env.STOA_CHROMIUM = programIn(folder);
  if (!(await starts(folder))) process.env.STOA_CHROMIUM_LIBRARIES = '1';
}

async function unpack(packed: string, folder: string): Promise<void> {
  const inflate = (name: string, target: NodeJS.WritableStream) =>
    pipeline(createReadStream(join(packed, name)), createBrotliDecompress({ chunkSize: 2 ** 21 }), target);
  await Promise.all([
    inflate('chromium.br', createWriteStream(programIn(folder), { mode: 0o755 })),
    inflate('fonts.tar.br', extract(join(folder, 'fonts'))),
    inflate('al2023.tar.br', extract(join(folder, 'al2023'))),
  ]);
}

// Prefers the machine's fonts. The browser's own fonts are for machines without any.
const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Whether the browser can start with the libraries of this machine. */
async function starts(folder: string): Promise<boolean> {
  try {
    await run(programIn(folder), ['--no-sandbox', '--version'], {
      env: environment(folder),
      timeout: 30_000,
    });
    return true;
  } catch {
    return false;
  }
}
