import { readFileSync } from 'node:fs';

/** Words that the project does not use, each with its replacement. The check of documents reads the same list. */
const retiredWords = JSON.parse(readFileSync(new URL('retired-words.json', import.meta.url), 'utf8')).map(
  ({ pattern, instead }) => ({ pattern: new RegExp(pattern, 'iu'), instead }),
);

const longestSentence = 30;
const titled = new Set(['test', 'it', 'describe']);
const levels = new Set(['debug', 'error', 'fatal', 'log', 'verbose', 'warn']);

/** Replaces code, links and JSDoc tags by one word, because names in code may contain any word. */
const prose = (text) => text.replace(/`[^`]*`/g, 'x').replace(/\{@link [^}]*\}|@\w+(?: \w+)?/g, 'x');

function* faults(text) {
  const words = prose(text);
  for (const { pattern, instead } of retiredWords) {
    const found = pattern.exec(words);
    if (found) yield `Replace “${found[0].trim()}”: ${instead}.`;
  }
  for (const sentence of words.split(/(?<=[.:;?!])\s+/)) {
    const count = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    if (count > longestSentence)
      yield `Split this sentence of ${count} words; the limit is ${longestSentence}.`;
  }
}

/** The texts of comments. Consecutive line comments are one text. */
function* textsOf(comments) {
  let open;
  for (const comment of comments) {
    const text = comment.value.replace(/^\s*\* ?/gm, '').trim();
    const continues =
      open && comment.type === 'Line' && open.type === 'Line' && comment.loc.start.line === open.end.line + 1;
    if (continues) {
      open.text += ` ${text}`;
      open.end = comment.loc.end;
      continue;
    }
    if (open) yield open;
    open = { type: comment.type, start: comment.loc.start, end: comment.loc.end, text };
  }
  if (open) yield open;
}

const literalOf = (node) => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join(' x ');
  return undefined;
};

const rootOf = (callee) => {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  if (callee.type === 'CallExpression') return rootOf(callee.callee);
  return callee.type === 'TaggedTemplateExpression' ? rootOf(callee.tag) : undefined;
};

const isLogger = ({ type, object, property }) =>
  type === 'MemberExpression' &&
  levels.has(property.name) &&
  /logger$/i.test(object.name ?? object.property?.name ?? '');

/** Requires standard words, and sentences of at most 30 words, in comments, test titles and log lines. */
export const plainWords = {
  meta: { type: 'suggestion', schema: [], messages: { fault: '{{what}}' } },
  create(context) {
    const report = (loc, text) => {
      for (const what of faults(text)) context.report({ loc, messageId: 'fault', data: { what } });
    };
    return {
      Program() {
        for (const { start, end, text } of textsOf(context.sourceCode.getAllComments()))
          report({ start, end }, text);
      },
      CallExpression({ callee, arguments: [first] }) {
        const text = literalOf(first);
        if (text !== undefined && (titled.has(rootOf(callee)) || isLogger(callee))) report(first.loc, text);
      },
    };
  },
};
