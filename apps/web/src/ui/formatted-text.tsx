import { blocksOf, type Run } from '@stoa/contracts/simple-format';

/** A creator's own words with their paragraphs, lists, stresses and links. */
export function FormattedText({ text }: { text: string }) {
  return blocksOf(text).map(({ isList, lines }, at) =>
    isList ? (
      <ul key={at} dir="auto" className="my-3 list-disc ps-5">
        {lines.map((runs, line) => (
          <li key={line}>{runs.map(shown)}</li>
        ))}
      </ul>
    ) : (
      <p key={at} dir="auto" className="my-3">
        {lines.map((runs, line) => [line > 0 && <br key={`br${line}`} />, runs.map(shown)])}
      </p>
    ),
  );
}

function shown(run: Run, at: number) {
  if (typeof run === 'string') return run;
  if ('strong' in run) return <strong key={at}>{run.strong}</strong>;
  if ('em' in run) return <em key={at}>{run.em}</em>;
  return (
    <a
      key={at}
      href={run.link}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="text-accent underline"
    >
      {run.link}
    </a>
  );
}
