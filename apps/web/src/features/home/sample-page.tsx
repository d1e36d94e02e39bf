import { buttonClass } from '../../ui/button.tsx';
import { Tag } from '../../ui/tag.tsx';
import book from './pictures/book.webp';
import face from './pictures/face.webp';
import poems from './pictures/poems.webp';
import workshop from './pictures/workshop.webp';
import { featuredCreators } from './featured.ts';

const offerings = [
  [book, 'What the River Kept', '$14'],
  [poems, 'Low Water: Poems', 'from $5'],
  [workshop, 'Writing from Memory', '$120'],
] as const;

/** The sample profile as a phone shows it, to be looked at only: its card below leads to the real one. */
export function SamplePage({ className }: { className: string }) {
  const [creator] = featuredCreators;
  return (
    <div aria-hidden="true" className={className}>
      <div className="bg-paper border-edge/70 shadow-lifted w-72 max-w-[calc(100vw-2.5rem)] rounded-[2.2rem] border-[6px] p-4 text-sm select-none">
        <div className="grid grid-cols-[5rem_1fr] items-center gap-x-3">
          <img
            src={face}
            alt=""
            width="80"
            height="80"
            className="border-line rounded-b-card rounded-t-full border"
          />
          <div>
            <p className="font-serif text-xl leading-tight font-semibold">{creator?.name}</p>
            <p className="text-muted mb-1">@amara-okafor</p>
            <Tag>Writer</Tag>
          </div>
        </div>
        <p className="mt-3">{creator?.tagline}</p>
        <ul className="mt-4 grid gap-2.5">
          {offerings.map(([picture, title, price]) => (
            <li
              key={title}
              className="bg-surface border-line shadow-card rounded-card grid grid-cols-[3.6rem_1fr] gap-x-3 border p-2"
            >
              <img src={picture} alt="" width="62" height="62" className="rounded-field row-span-2" />
              <p className="font-serif leading-snug font-semibold">{title}</p>
              <p className="flex items-center justify-between gap-2">
                <b>{price}</b>
                <span
                  className={`${buttonClass('primary', 'small')} !min-h-7 !px-2.5 !text-xs whitespace-nowrap`}
                >
                  Access Now
                </span>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
