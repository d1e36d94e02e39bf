import { cached, plainReporter } from '@stoa/system';
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';
import { environment, programIn } from './chromium.ts';

const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** Chooses the browser for this run: the one that STOA_CHROMIUM names, or the pinned one, unpacked once. */
export async function installChromium(log: (line: string) => void): Promise<void> {
  if (process.env.STOA_CHROMIUM) return;
  const entry = require.resolve('@sparticuz/chromium');
  const packed = join(dirname(entry), '../bin');
  const { version } = require(join(dirname(entry), '../package.json')) as { version: string };
  const task = plainReporter(log).task('Chromium');
  const folder = await cached(`chromium-${version}`, task, async (target) => {
    task.update(`unpacking ${version}`);
    await unpack(packed, target);
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

// The machine's own fonts and preferences first; those that come along keep text readable where there are none.
const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Slim machines lack libraries that the browser needs. */
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
