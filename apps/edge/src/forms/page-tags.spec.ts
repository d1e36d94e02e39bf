import { expect, it } from '@jest/globals';
import { changeTags, tagsOf } from './page-tags.ts';

const read = (html: string) =>
  tagsOf(html).map(({ name, attributes }) => [name, Object.fromEntries(attributes)]);

it.each([
  ['<a href="/x?a=1&amp;b=2">x</a>', [['a', { href: '/x?a=1&b=2' }]]],
  ["<INPUT Value=1 readonly\n  name = 'n'>", [['input', { value: '1', readonly: '', name: 'n' }]]],
  ['<p title="x data-account=" id="ada">', [['p', { title: 'x data-account=', id: 'ada' }]]],
  ['<p title="<form action=\'/x\'>">', [['p', { title: "<form action='/x'>" }]]],
  ['<p title="&lt;form action=&quot;/x&quot;&gt;&amp;lt;">', [['p', { title: '<form action="/x">&lt;' }]]],
  ['<p id="a"class="b"/ title=\'c\'lang=d/e>', [['p', { id: 'a', class: 'b', title: 'c', lang: 'd/e' }]]],
  ['<p id="a" ID="b">', [['p', { id: 'a' }]]],
  [
    '<br/><hr />',
    [
      ['br', {}],
      ['hr', {}],
    ],
  ],
  [
    '<!-- <form> --><script>"<form>"</script><title><form></title><textarea><form></textarea><i>',
    [['i', {}]],
  ],
  ['1 < 2 <p', []],
  ['<i><!-- <form>', [['i', {}]]],
  ['<i><script><form>', [['i', {}]]],
])('reads the tags of %j as a browser does', (html, tags) => {
  expect(read(html)).toEqual(tags);
});

it('changes one attribute of one tag and nothing else', () => {
  const page = '<p id="x">id="x"</p><p title=\' id="x"\' id=\'x\' ID="x"><!-- <p id="x"> -->';
  const changed = changeTags(page, ({ name, attributes }) =>
    name === 'p' && attributes.has('title') ? { attribute: 'id', value: '"&<\'>' } : undefined,
  );
  expect(changed).toBe(page.replace("id='x'", 'id="&quot;&amp;&lt;&#39;&gt;"'));
});
