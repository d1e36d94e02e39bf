import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { renderScreens, screens } from '../dev-screens.ts';
import { fromSources } from '../dev-server.ts';

const themes = new URL('../../../deploy/keycloak/themes/stoa/login/', import.meta.url);

test('a page of the development server keeps head and answers, and runs the sources', () => {
  const built = `<head><title>About</title><link rel="stylesheet" crossorigin href="/assets/main.css" />
<script src="/early-input.js"></script><script src="/assets/begin-code-1.js"></script>
<script id="stoa-config" type="application/json">{}</script>
<template id="code"><script type="module" src="/assets/main.js"></script></template></head>
<body><div id="root"><div>rendered</div></div><script id="stoa-answers" type="application/json">{"a":1}</script></body>`;
  const page = fromSources(built);
  expect(page).not.toMatch(/assets|rendered|<template/);
  expect(page).toContain('<title>About</title>');
  expect(page).toContain('<script src="/early-input.js"></script>');
  expect(page).toContain(
    '<div id="root"></div><script id="stoa-answers" type="application/json">{"a":1}</script>',
  );
  expect(page).toContain('<script type="module" src="/src/main.tsx"></script></body>');
});

test('the page of screens links to every screen of the Keycloak theme', () => {
  // A template of a screen contains a layout. The others are parts of one.
  const templates = readdirSync(themes)
    .filter((file) => file.endsWith('.ftl') && file !== 'template.ftl')
    .filter((file) => readFileSync(new URL(file, themes), 'utf8').includes('<@layout.registrationLayout'))
    .map((file) => file.replace('.ftl', ''));
  expect(screens.flatMap(({ templates: shown = [] }) => shown).toSorted()).toEqual(templates.toSorted());
  const page = renderScreens('http://localhost:8180/realms/stoa');
  for (const { name } of screens) expect(page).toMatch(new RegExp(`<a href="[^"]+">${name}</a>`));
});
