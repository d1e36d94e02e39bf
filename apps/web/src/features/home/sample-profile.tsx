import { buttonClass } from '../../ui/button.tsx';
import book from './pictures/book.webp';
import face from './pictures/face.webp';
import poems from './pictures/poems.webp';
import workshop from './pictures/workshop.webp';
import { featuredCreators, sampleUsername } from './featured.ts';
import { PhonePage } from './phone-page.tsx';

const offerings = [
  [book, 'What the River Kept', '$14'],
  [poems, 'Low Water: Poems', 'from $5'],
  [workshop, 'Writing from Memory', '$120'],
] as const;

/**
 * The sample profile, for a site without a complete profile. It is decorative: its card below links to the
 * real page.
 */
export function SampleProfile() {
  const [creator] = featuredCreators;
  return (
    <div aria-hidden="true" className="select-none">
      <PhonePage
        face={<img src={face} alt="" width="80" height="80" />}
        name={creator?.name}
        username={sampleUsername}
        niche="Writer"
        line={creator?.tagline ?? ''}
        offerings={offerings.map(([picture, title, price]) => ({
          ...{ slug: title, title, price },
          cover: <img src={picture} alt="" width="62" height="62" />,
          action: (
            <span
              className={`${buttonClass('primary', 'small')} !min-h-7 !px-2.5 !text-xs whitespace-nowrap`}
            >
              Access Now
            </span>
          ),
        }))}
      />
    </div>
  );
}
