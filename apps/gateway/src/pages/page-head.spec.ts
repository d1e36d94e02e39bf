import { makePublicCreator } from '@stoa/testing';
import { expect, test } from '@jest/globals';
import { html } from '../http/html.ts';
import { browseHead, profileHead, renderHead } from './page-head.ts';

const hostile = `"><script>alert('$&')</script>`;

const creator = makePublicCreator({
  bio: 'Poems about rivers.',
  socialLinks: { youtube: 'https://www.youtube.com/ama', tiktok: null, instagram: null },
  niches: ['Poet'],
  offeringCount: 1,
});
const site = 'https://stoa.example.test';
const media = 'https://media.example.test';

test('a profile has title, canonical address and structured data', () => {
  const head = profileHead(creator, media);
  const rendered = renderHead(head, site).text;
  expect(rendered).toContain('<title>Ama (@ama-writes) · Stoa</title>');
  expect(rendered).toContain('href="https://stoa.example.test/profile/ama-writes"');
  expect(rendered).toContain('"sameAs":["https://www.youtube.com/ama"]');
});

test('markup in a name is escaped (XSS) [gateway-10]', () => {
  const head = profileHead({ ...creator, displayName: hostile, bio: hostile }, media);
  const all = renderHead(head, site).text;
  expect(all).not.toContain('<script>alert');
  expect(all).not.toContain('</script>alert');
  expect(all.match(/<\/script>/g)).toHaveLength(1);
});

test('values are escaped, HTML is not escaped twice [gateway-11]', () => {
  const item = html`<b>${'a&b'}</b>`;
  expect(html`<p>${item}${[item, item]}</p>`.text).toBe(`<p>${'<b>a&amp;b</b>'.repeat(3)}</p>`);
});

test('a noindex page has no canonical address', () => {
  const rendered = renderHead(
    { title: 'x', description: 'y', path: '/dashboard', indexed: false },
    site,
  ).text;
  expect(rendered).toContain('content="noindex"');
  expect(rendered).not.toContain('canonical');
});

const picture = { id: creator.uid, path: 'p', widths: [96, 480], width: 480, height: 480, color: '#aabbcc' };

/** Parses the structured data (JSON-LD) of a page. */
const factsIn = (rendered: string): unknown =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(rendered)?.[1] ?? '');

test.each([
  ['markup', `"><script>alert('$&')</script>`],
  ['a closed element', '</script></noscript></title><h1>mine</h1>'],
  ['a comment', '<!--stoa-config--> --> ]]>'],
  ['patterns of a replacement', "$& $1 $` $' $$ $<name>"],
  ['quotes', `"double" 'single' \`back\` & &amp;`],
  ['right to left', 'זואי آما'],
  ['emoji', '🧑🏽‍🎨👩‍👩‍👧‍👦'],
  ['line separators', 'a\u2028b\u2029c'],
] as const)('a name with %s is rendered as text', (_, name) => {
  const head = profileHead({ ...creator, displayName: name, bio: name }, media);
  const rendered = renderHead(head, site).text;
  expect(factsIn(rendered)).toMatchObject({ mainEntity: { name } });
  const elements = (text: string) => text.match(/<\/?[a-z][a-z0-9]*/g);
  const harmless = profileHead({ ...creator, displayName: 'x', bio: 'x' }, media);
  expect(elements(rendered)).toEqual(elements(renderHead(harmless, site).text));
});

test('a long bio is truncated between characters, not within one', () => {
  const { description } = profileHead({ ...creator, bio: '🧑🏽‍🎨'.repeat(200) }, media);
  expect(description).toBe(`${'🧑🏽‍🎨'.repeat(159)}…`);
});

const previewIn = (rendered: string) =>
  [...rendered.matchAll(/<meta (?:property|name)="(?:og:image|twitter:image)" content="([^"]*)"/g)].map(
    ([, address]) => address,
  );

test('the link preview of a profile has its card, and a new version after an edit', () => {
  const rendered = (changes: Partial<typeof creator>) =>
    renderHead(profileHead({ ...creator, ...changes }, media), site).text;
  const [first, same] = previewIn(rendered({}));
  expect(first).toMatch(/^https:\/\/stoa\.example\.test\/api\/creators\/ama-writes\/card\.jpg\?v=[\w-]{12}$/);
  expect(same).toBe(first);
  expect(rendered({})).toContain('<meta property="og:image:width" content="1200" />');
  expect(rendered({})).toContain('<meta property="og:image:height" content="630" />');
  expect(rendered({})).toContain('<meta property="og:image:alt" content="Ama (@ama-writes)" />');
  expect(rendered({})).toContain('name="twitter:card" content="summary_large_image"');
  const edits = [{ displayName: 'Other' }, { palette: 'plum' }, { bio: 'Other' }, { profileImage: picture }];
  const versions = edits.map((edit) => previewIn(rendered(edit as Partial<typeof creator>))[0]);
  expect(new Set([first, ...versions]).size).toBe(5);
  // A card does not show these fields, so a change of them must not change the version in its address.
  expect(previewIn(rendered({ niches: ['Coach'], offeringCount: 7 }))[0]).toBe(first);
});

test('the link preview of other pages has the picture of the site', () => {
  const page = { title: 'x', description: 'y', path: '/about', indexed: true };
  const address = `${site}/share.png`;
  expect(previewIn(renderHead(page, site).text)).toEqual([address, address]);
});

test('a profile links its feed, other pages have none', () => {
  const feed = `<link rel="alternate" type="application/atom+xml" title="Ama on Stoa" href="${site}/profile/ama-writes/feed.xml" />`;
  expect(renderHead(profileHead(creator, media), site).text).toContain(feed);
  const page = { title: 'x', description: 'y', path: '/about', indexed: true };
  expect(renderHead(page, site).text).not.toContain('atom');
});

test('the list of a niche has its own canonical address and title', () => {
  const base = { title: 'Browse', description: 'All.', path: '/browse-creators', indexed: true };
  const head = browseHead(base, [{ ...creator, bioPreview: 'Poems' }], site, 'Poet');
  expect(factsIn(renderHead(head, site).text)).toMatchObject({ url: `${site}/browse-creators?niche=Poet` });
});

test('an empty list has no structured data', () => {
  const base = { title: 'Browse', description: 'All.', path: '/browse-creators', indexed: true };
  const head = browseHead(base, [], site, 'Healer');
  expect(renderHead(head, site).text).not.toContain('ld+json');
});

test('the structured data of the list links every creator, unnamed ones included', () => {
  const base = { title: 'Browse', description: 'All.', path: '/browse-creators', indexed: true };
  const card = { ...creator, bioPreview: '' };
  const head = browseHead(
    base,
    [card, { ...card, username: 'b', displayName: '</script>' }, { ...card, username: 'c', displayName: '' }],
    site,
  );
  expect(factsIn(renderHead(head, site).text)).toMatchObject({
    url: `${site}/browse-creators`,
    mainEntity: {
      itemListElement: [
        { position: 1, name: 'Ama', url: `${site}/profile/ama-writes` },
        { position: 2, name: '</script>' },
        { position: 3, name: 'Unnamed Creator' },
      ],
    },
  });
});
