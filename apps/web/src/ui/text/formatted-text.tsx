import { blocksOf, type Run } from '@stoa/contracts/simple-format';
import { ownWords } from './own-words.ts';

/** A creator's text with its paragraphs, lists, emphasis and links. */
export function FormattedText({ text }: { text: string }) {
  const { dir, lang } = ownWords(text);
  return blocksOf(text).map(({ list, start, items }, at) => {
    const points = items.map((runs, item) => <li key={item}>{runs.map(shown)}</li>);
    if (list === 'numbers') {
      return (
        <ol key={at} dir={dir} lang={lang} start={start} className="my-3 list-decimal ps-7">
          {points}
        </ol>
      );
    }
    return list ? (
      <ul key={at} dir={dir} lang={lang} className="my-3 list-disc ps-5">
        {points}
      </ul>
    ) : (
      <p key={at} dir={dir} lang={lang} className="my-3 whitespace-pre-line">
        {items.flat().map(shown)}
      </p>
    );
  });
}

function shown(run: Run, at: number) {
  if (typeof run === 'string') return run;
  if ('strong' in run) return <strong key={at}>{run.strong.map(shown)}</strong>;
  if ('em' in run) return <em key={at}>{run.em.map(shown)}</em>;
  return (
    <a
      key={at}
      href={run.link}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="text-accent underline"
    >
      {run.text}
    </a>
  );
}
