import { describe, expect, it } from '@jest/globals';
import { checkDocuments, documentLimits, faultsOf, proseOf, wordsIn, writtenPages } from './documents.ts';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
const sentence = (count: number) => `${words(count)}. `;

describe('the prose of a page', () => {
  it('excludes code blocks, comments and addresses, and counts inline code as one word', () => {
    const page = [
      '# One two',
      '<!-- not counted -->',
      'Three [four](https://example.com/a/b) `five and six`. Seven.',
      '```sh\nnpm start\n```',
      '| eight | nine |\n| --- | --- |\n| ten | eleven |',
      '- twelve\n- thirteen\n\n  fourteen',
      '![no picture](a.webp)',
    ].join('\n\n');
    expect(proseOf(page).words).toBe(13);
  });

  it('ends a sentence at its full stop, also before a lower-case name, but not after e.g.', () => {
    expect(proseOf('It waits, e.g. for mail. identity mails it! Really? Yes.').sentences).toHaveLength(4);
  });
});

describe('a page', () => {
  it('passes within the limits', () => {
    expect(faultsOf('docs/a.md', `# Title\n\n${sentence(18)}${sentence(10)}`)).toEqual([]);
  });

  it.each([
    ['docs/a.md', sentence(10).repeat(91), '910 words, at most 900'],
    ['README.md', sentence(10).repeat(46), '460 words, at most 450'],
    ['CONTRIBUTING.md', sentence(10).repeat(71), '710 words, at most 700'],
    ['docs/a.md', `${sentence(31)}${sentence(2)}`, '31 words, at most 30'],
    ['docs/a.md', `| a |\n| - |\n| ${words(31)} |`, '31 words, at most 30'],
    ['docs/a.md', `${sentence(20)}${sentence(18)}`, 'a mean of 19.0 words a sentence'],
    ['docs/a.md', `- ${sentence(20)}\n- ${sentence(18)}`, 'a mean of 19.0 words a sentence'],
    ['docs/adr/0001-a.md', 'Word.\n\n'.repeat(31), '61 lines, at most 60'],
    ['docs/a.md', 'The owner is told.', '“told” (write sent, mailed or notified)'],
    ['docs/a.md', 'It tells a user.', '“tells”'],
    ['docs/a.md', '> The log says why.', '“says”'],
    ['docs/a.md', '1. The service knows who asks.', '“who asks”'],
    ['docs/a.md', 'The sweeper looks at it.', '“looks”'],
    ['docs/a.md', '| a |\n| - |\n| It starts at once. |', '“at once”'],
    ['docs/a.md', 'Tokens of before are void.', '“of before”'],
    ['docs/a.md', '## Nobody reads it', '“Nobody”'],
    ['docs/a.md', 'Whoever reads it.', '“Whoever”'],
    ['docs/a.md', 'It **lies** in the store.', '“lies”'],
  ])('%s: %j', (page, markdown, fault) => {
    expect(faultsOf(page, markdown)).toEqual([expect.stringContaining(`${page}: `)]);
    expect(faultsOf(page, markdown)[0]).toContain(fault);
  });

  it('may use a retired word in code and in a cited test case', () => {
    expect(faultsOf('docs/a.md', 'Read `tells` first.\n\n```\ntold\n```\n\n`web-1` “nobody looks”')).toEqual(
      [],
    );
  });
});

it('counts every page that people write', () => {
  const pages = writtenPages();
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/glossary.md', 'apps/web/README.md']),
  );
  expect(
    [...pages.keys()].filter((page) => /^docs\/(?:evidence|reference)\/[a-z-]+\.md$/.test(page)),
  ).toEqual([]);
  expect(wordsIn(pages)).toBeLessThanOrEqual(documentLimits.allWords);
});

it('accepts the documents of this repository', () => {
  const lines: string[] = [];
  checkDocuments((line) => void lines.push(line));
  expect(lines).toEqual([expect.stringMatching(/^\d+ pages, \d+ words, \d+\.\d words a sentence$/)]);
});
