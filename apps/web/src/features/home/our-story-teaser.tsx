import { Link } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ArrowIcon } from '../../ui/icons/icons.tsx';

export function OurStoryTeaser() {
  return (
    <section aria-labelledby="story-title" className="bg-sunk border-line border-t">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-5 py-16 sm:px-8 sm:py-24 md:grid-cols-[auto_1fr]">
        <p className="text-accent font-serif leading-none" aria-hidden="true">
          <span className="text-[7rem] sm:text-[9rem]">0</span>
          <span className="align-super text-5xl">%</span>
        </p>
        <div>
          <h2 id="story-title" className="text-4xl">
            Our Story
          </h2>
          <p className="mt-4 max-w-2xl text-lg">
            In the old cities a stoa was a covered walk, open to the street. Anyone could stand under its roof
            to teach, to trade or to read aloud, and nobody took a share of the coins. We missed a place like
            that, so we built one.
          </p>
          <Link to={paths.about} className={`${buttonClass('secondary')} mt-7`}>
            Read Our Story <ArrowIcon />
          </Link>
        </div>
      </div>
    </section>
  );
}
