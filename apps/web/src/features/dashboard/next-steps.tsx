import type { Creator } from '@stoa/contracts';
import { isPublicOffering } from '@stoa/contracts/choices';
import { Link } from 'react-router-dom';
import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { useMe } from '../../auth/me.queries.ts';
import { isOperator } from '../../auth/sign-in.ts';
import { paths } from '../../navigation/paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChevronIcon } from '../../ui/icons/editor-icons.tsx';

/** What the profile still lacks, until it is complete, and whether visitors find it. */
export function NextSteps() {
  const me = useMe();
  const offerings = useMyOfferings();
  if (!me.data || !offerings.data) return null;
  // An operator need not be a creator.
  if (isOperator() && offerings.data.items.length === 0) return null;
  const { items } = offerings.data;
  // Visitors do not see an offering that Stoa has hidden, even if it is published.
  const publishedCount = items.filter(isPublicOffering).length;
  return <Steps creator={me.data} offeringCount={items.length} publishedCount={publishedCount} />;
}

interface StepsProps {
  readonly creator: Creator;
  readonly offeringCount: number;
  /** The offerings that visitors see. A draft does not complete a page. */
  readonly publishedCount: number;
}

export function Steps({ creator, offeringCount, publishedCount }: StepsProps) {
  const steps = [
    {
      done: creator.published,
      text: 'Save your profile, and choose how mail reaches you',
      to: paths.createProfile,
    },
    { done: creator.profileImage !== null, text: 'Add a picture of you', to: paths.editProfile },
    { done: creator.bio !== '', text: 'Write a few words about you', to: paths.editProfile },
    { done: creator.niches.length > 0, text: 'Choose your niches', to: paths.editProfile },
    offeringCount > 0 && publishedCount === 0
      ? { done: false, text: 'Publish your first offering', to: '#my-offerings' }
      : { done: publishedCount > 0, text: 'Add your first offering', to: paths.addOffering },
  ];
  const finished = steps.filter(({ done }) => done).length;
  if (finished === steps.length) return null;
  return (
    <section
      aria-labelledby="next-steps"
      className="bg-surface border-line shadow-card rounded-card border p-4 pb-2 sm:px-6 sm:pt-5"
    >
      <h2 id="next-steps" className="text-xl sm:text-2xl">
        {creator.published ? 'Complete your page' : 'Welcome to Stoa'}: {finished} of {steps.length}
      </h2>
      <div aria-hidden="true" className="mt-3 grid grid-cols-5 gap-1.5">
        {steps.map(({ text }, index) => (
          <span
            key={text}
            className={classNames('h-1.5 rounded-full', index < finished ? 'bg-accent' : 'bg-line')}
          />
        ))}
      </div>
      <p className="text-muted mt-3 text-sm leading-snug">{whyNotListed(creator)}</p>
      <ul className="mt-1 grid gap-x-8 sm:grid-cols-2">
        {steps
          .filter(({ done }) => !done)
          .map(({ text, to }) => (
            <li key={text}>
              <Link
                to={to}
                className="text-accent hover:text-accent-strong flex min-h-11 items-center gap-2 font-semibold hover:underline [&>svg]:size-4 [&>svg]:shrink-0"
              >
                {text} <ChevronIcon />
              </Link>
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Why visitors do not find the profile, or find it late. */
function whyNotListed({ published, isPublic, takenDown }: Creator): string {
  if (takenDown) return 'Why am I not listed? Your profile is hidden: the reason stands above.';
  if (!published)
    return 'Why am I not listed? Nobody but you sees your profile and your offerings until you have saved it once.';
  if (!isPublic)
    return 'Why am I not listed? Your profile is public as soon as you have proved your email address.';
  return 'Visitors find you already. Pages with a picture, a bio and an offering come first.';
}
