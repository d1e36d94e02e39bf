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

test('markup in a name is escaped (XSS)', () => {
  const head = profileHead({ ...creator, displayName: hostile, bio: hostile }, media);
  const all = renderHead(head, site).text;
  expect(all).not.toContain('<script>alert');
  expect(all).not.toContain('</script>alert');
  expect(all.match(/<\/script>/g)).toHaveLength(1);
});

test('values are escaped, HTML is not escaped twice', () => {
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

/** What a reader of the structured data gets. */
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
] as const)('a name of %s is shown as it is', (_, name) => {
  const head = profileHead({ ...creator, displayName: name, bio: name }, media);
  const rendered = renderHead(head, site).text;
  expect(factsIn(rendered)).toMatchObject({ mainEntity: { name } });
  const elements = (text: string) => text.match(/<\/?[a-z][a-z0-9]*/g);
  const harmless = profileHead({ ...creator, displayName: 'x', bio: 'x' }, media);
  expect(elements(rendered)).toEqual(elements(renderHead(harmless, site).text));
});

test('a long bio is cut between characters, not within one', () => {
  const { description } = profileHead({ ...creator, bio: '🧑🏽‍🎨'.repeat(200) }, media);
  expect(description).toBe(`${'🧑🏽‍🎨'.repeat(159)}…`);
});

test('the link preview has the picture, or that of the site', () => {
  const card = (image: typeof picture | null) =>
    renderHead(profileHead({ ...creator, profileImage: image as never }, media), site).text;
  expect(card(picture)).toContain(`property="og:image" content="${media}/p/480.webp"`);
  expect(card(picture)).toContain('name="twitter:card" content="summary"');
  expect(card(null)).toContain(`property="og:image" content="${site}/share.png"`);
  expect(card(null)).toContain('name="twitter:card" content="summary_large_image"');
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
