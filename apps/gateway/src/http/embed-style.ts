import { paletteAccents, paletteGrounds } from '@stoa/contracts';
import { closedPolicy, type SecurityPolicy } from '@stoa/platform';
import { createHash } from 'node:crypto';

const palettes = Object.entries(paletteGrounds)
  .map(([name, ground]) => {
    const accent = paletteAccents[name as keyof typeof paletteAccents];
    return `[data-palette=${name}]{--ground:light-dark(${ground.join()});--accent:light-dark(${accent.join()})}`;
  })
  .join('');

/** All styles of an embedded profile. The page loads no stylesheet and no script. */
export const embedStyle = `:root{color-scheme:light dark;--ink:light-dark(#1d1813,#f3efe8);--muted:light-dark(#5d5650,#b6aea4);--line:light-dark(#0002,#fff3)}
${palettes}
*{box-sizing:border-box;margin:0}
body{font:1rem/1.45 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
main{max-width:40rem;margin:0 auto;padding:20px;min-height:100vh;display:flex;flex-direction:column;gap:16px}
a{color:inherit;text-decoration:none}
a:focus-visible{outline:2px solid currentColor;outline-offset:2px;border-radius:4px}
header a{display:flex;gap:16px;align-items:center}
img,.none{object-fit:cover;flex:none;background:var(--line)}
header img,header .none{width:72px;height:72px;border-radius:36px 36px 12px 12px}
h1{font:600 1.375rem/1.2 Georgia,serif;overflow-wrap:anywhere}
.muted{color:var(--muted);font-size:.875rem;overflow-wrap:anywhere}
ul{list-style:none;padding:0;display:grid;gap:8px}
li a{display:flex;gap:12px;align-items:center;border:1px solid var(--line);border-radius:16px;padding:8px}
img.transparent{background:#767676;forced-color-adjust:none}
li img,li .none{width:64px;height:48px;border-radius:10px}
li strong{font-weight:600;overflow-wrap:anywhere}
main>p,li strong{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.all{margin-top:auto;align-self:flex-start;background:var(--accent);color:var(--ground);border:1px solid transparent;border-radius:999px;padding:10px 20px;font-weight:600}`;

/** The content policy of an embedded profile, the only page that other sites may frame. `media` is the origin of pictures. */
export const embedPolicy = (media: string): SecurityPolicy => ({
  ...closedPolicy,
  'style-src': [`'sha256-${createHash('sha256').update(embedStyle).digest('base64')}'`],
  'img-src': [media],
  'frame-ancestors': ['*'],
});
