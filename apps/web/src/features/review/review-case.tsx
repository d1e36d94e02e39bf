import type { ReviewCase, ReviewedContent, ReviewStep } from '@stoa/contracts';
import { guidelineLabels } from '@stoa/contracts/choices';
import { displayNameOf } from '@stoa/contracts/facts';
import { paths } from '../../navigation/paths.ts';
import { Picture } from '../../ui/pictures/picture.tsx';
import { pictureSizes } from '../../storefront/picture-sizes.ts';
import { Tag } from '../../ui/tag.tsx';
import { DecisionForm } from './decision-form.tsx';
import type { DecisionPace } from './decision-pace.ts';
import { ownWords } from '../../ui/text/own-words.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const statuses: Record<ReviewCase['status'], string> = {
  open: 'Reported',
  appealed: 'Appealed',
  hidden: 'Hidden',
  upheld: 'Hidden, appeal refused',
  dismissed: 'Dismissed',
  restored: 'Restored',
};

const kinds: Record<ReviewStep['kind'], string> = {
  reported: 'reported it',
  dismissed: 'dismissed it',
  hidden: 'hid it',
  appealed: 'appealed',
  upheld: 'refused the appeal',
  restored: 'restored it',
};

/** One reported page: its content, the reports, and the possible decisions. */
export function ReviewCaseCard({ reviewed, pace }: { reviewed: ReviewCase; pace: DecisionPace }) {
  const { id, username, offering, status, content, reports, steps } = reviewed;
  const kept = steps.filter(({ kind }) => kind === 'reported').length;
  const isPublic = ['open', 'dismissed', 'restored'].includes(status);
  const address = offering ? paths.offering(username, offering.slug) : paths.profile(username);
  return (
    <article
      aria-labelledby={`case-${id}`}
      className="bg-surface border-line shadow-card rounded-card grid gap-6 border p-5 sm:p-8 lg:grid-cols-2"
    >
      <div className="min-w-0">
        <Tag>{statuses[status]}</Tag>
        <h2
          id={`case-${id}`}
          {...ownWords(offering ? offering.title : displayNameOf(reviewed))}
          className="mt-3 text-2xl [overflow-wrap:anywhere]"
        >
          {offering ? offering.title : displayNameOf(reviewed)}
        </h2>
        <p className="text-muted mt-1 [overflow-wrap:anywhere]">
          {offering ? 'An offering' : 'The profile'} of @{username}
        </p>
        {isPublic && (
          <a
            href={address}
            target="_blank"
            rel="noopener"
            className="text-accent mt-2 inline-flex min-h-11 items-center underline"
          >
            Open the page<span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
        <Content content={content} />
      </div>
      <div className="min-w-0">
        <h3 className="text-lg font-semibold">Trail</h3>
        {reports > kept && (
          <p className="text-muted mt-1">
            {reports} reports, of which the first {kept} are shown.
          </p>
        )}
        <ol className="divide-line divide-y">
          {steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ol>
        <DecisionForm reviewed={reviewed} pace={pace} />
      </div>
    </article>
  );
}

function Content({ content }: { content: ReviewedContent | null }) {
  if (!content) return <p className="text-muted mt-4">What it shows cannot be read now.</p>;
  const { title, text, links, picture, header } = content;
  return (
    <div className="border-line mt-4 grid gap-3 border-t pt-4">
      {header && (
        <div className="rounded-card w-full max-w-md overflow-hidden">
          <Picture picture={header} alt="What it shows above its name" sizes={pictureSizes.card} />
        </div>
      )}
      {picture && (
        <div className="rounded-card w-40 overflow-hidden">
          <Picture picture={picture} alt="What it shows as its picture" sizes={pictureSizes.card} />
        </div>
      )}
      <p {...ownWords(content.title, content.text)} className="font-semibold [overflow-wrap:anywhere]">
        {title}
      </p>
      {text && (
        <p {...ownWords(content.text)} className="[overflow-wrap:anywhere] whitespace-pre-line">
          {text}
        </p>
      )}
      {links.length > 0 && (
        // As text, so that operators do not open a suspicious link by accident.
        <ul aria-label="Links" className="text-muted text-sm [overflow-wrap:anywhere]">
          {links.map((link) => (
            <li key={link}>{link}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Step({ step: { at, kind, reason, text, actor } }: { step: ReviewStep }) {
  const who = actor ? `@${actor}` : kind === 'reported' ? 'A visitor' : 'Somebody who has left';
  return (
    <li className="py-4">
      <p className="[overflow-wrap:anywhere]">
        <strong>{who}</strong> {kinds[kind]}
        <span className="text-muted"> · {time.format(new Date(at))}</span>
      </p>
      {reason && <p className="mt-1">{guidelineLabels[reason]}</p>}
      {text && (
        <p {...ownWords(text)} className="text-muted mt-1 [overflow-wrap:anywhere] whitespace-pre-line">
          {text}
        </p>
      )}
    </li>
  );
}
