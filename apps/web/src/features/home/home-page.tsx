import { Link } from 'react-router-dom';
import { usePage } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { Colonnade } from './colonnade.tsx';
import { FeaturedCreators } from './featured-creators.tsx';
import { Showcase } from './showcase.tsx';

const RealCreators = lazyOptional(async () => (await import('./real-creators.tsx')).RealCreators);
const OurStoryTeaser = lazyOptional(async () => (await import('./our-story-teaser.tsx')).OurStoryTeaser);
const FeeCalculator = lazyOptional(async () => (await import('./fee-calculator.tsx')).FeeCalculator);

export default function HomePage() {
  usePage('Stoa');
  return (
    <>
      <Hero />
      <Promises />
      <FeaturedCreators />
      <RealCreators />
      <FeeCalculator />
      <OurStoryTeaser />
    </>
  );
}

// The router moves no focus to a fragment, as the browser does for its own links.
const focusFeatured = () => document.getElementById('featured')?.focus({ preventScroll: true });

function Hero() {
  return (
    <section className="from-sunk to-paper bg-linear-to-b">
      <div className="mx-auto grid max-w-6xl grid-cols-1 items-center gap-10 px-5 py-10 sm:px-8 sm:py-16 lg:grid-cols-[1.05fr_1fr]">
        <div>
          <p className="text-accent mb-4 font-semibold">Free for creators. No commission, ever.</p>
          <h1 className="text-6xl">A place of your own for the work you make.</h1>
          <p className="text-muted mt-6 max-w-xl text-lg">
            Stoa gives writers, artists, healers, coaches, musicians and poets one calm page to show who they
            are and what they offer. Buyers pay you directly. We take nothing.
          </p>
          <div className="mt-8 flex flex-wrap gap-3 max-sm:*:grow">
            <Link to={paths.signup} className={buttonClass()}>
              Join Now
            </Link>
            <Link to="#featured" onClick={focusFeatured} className={buttonClass('secondary')}>
              Discover Creators
            </Link>
          </div>
        </div>
        <div className="relative grid grid-cols-1 justify-items-center">
          <Colonnade className="absolute bottom-0 w-full max-w-xl max-sm:hidden" />
          <div className="relative max-w-full">
            <Showcase />
          </div>
        </div>
      </div>
    </section>
  );
}

const promises = [
  [
    'Your page in minutes',
    'A name, a few honest sentences, a picture. Your profile gets an address you can share anywhere.',
  ],
  [
    'Offer anything',
    'An eBook, a workshop, a course, an hour of your time. Give it a cover, a price and your own payment link.',
  ],
  [
    'Keep all of it',
    'Visitors pay you through the provider you already use. Stoa charges no fee and takes no commission.',
  ],
] as const;

function Promises() {
  return (
    <section aria-label="How Stoa works" className="border-line border-y">
      <ol className="divide-line mx-auto grid max-w-6xl divide-y px-5 sm:px-8 md:grid-cols-3 md:divide-x md:divide-y-0">
        {promises.map(([title, text], index) => (
          <li key={title} className="py-10 md:px-8 md:first:pl-0 md:last:pr-0">
            <span aria-hidden="true" className="text-accent font-serif text-lg italic">
              {['i.', 'ii.', 'iii.'][index]}
            </span>
            <h2 className="mt-1 text-2xl">{title}</h2>
            <p className="text-muted mt-2">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
