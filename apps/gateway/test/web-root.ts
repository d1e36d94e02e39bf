import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder like that of the web app's build, with `body` in its page. The caller deletes it. */
export async function makeWebRoot(body = '<noscript></noscript><div id="root"></div>'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-web-'));
  await writeFile(join(folder, 'page-files.json'), '{"/":{"files":["/assets/home.js"]}}');
  await mkdir(join(folder, 'server'));
  await writeFile(join(folder, 'server/render.mjs'), "export const renderPage = async () => '';");
  await writeFile(
    join(folder, 'index.html'),
    `<html><head><title>Stoa</title><template id="code"><script></script></template></head><body>${body}</body></html>`,
  );
  return folder;
}
