import type { Layout, Offering, Palette, Picture as PictureFacts } from '@stoa/contracts';
import { isPublicOffering, layoutLabels, paletteLabels } from '@stoa/contracts/choices';
import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { Avatar, faceShape } from '../../ui/pictures/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CoverPlaceholder } from '../../ui/pictures/cover-placeholder.tsx';
import { ownWords } from '../../ui/text/own-words.ts';
import { paletteAttribute } from '../../ui/palette.ts';
import { Picture } from '../../ui/pictures/picture.tsx';

interface LookPreviewProps {
  palette: Palette;
  layout: Layout;
  /** The creator's name in the preview. */
  name: string;
  picture: PictureFacts | null;
  header: PictureFacts | null;
}

type Shown = Pick<Offering, 'id' | 'title' | 'type' | 'price' | 'state' | 'coverImage'>;

/** Enough offerings to distinguish the layouts. */
const most = 2;

const sample = { state: 'published', coverImage: null } as const;
const samples: Shown[] = [
  { ...sample, id: 'first', title: 'Your first offering', type: 'eBook', price: 'R150' },
  { ...sample, id: 'second', title: 'Your second offering', type: 'Workshop', price: 'R400' },
];

/** The creator's public offerings, or samples if there are none. */
function useShown(): Shown[] {
  const { data } = useMyOfferings();
  const own = data?.items.filter(isPublicOffering) ?? [];
  return (own.length > 0 ? own : samples).slice(0, most);
}

/** A small preview of the creator's profile in the chosen palette and layout. */
export function LookPreview({ palette, layout, name, picture, header }: LookPreviewProps) {
  const shown = useShown();
  const list = layout === 'list';
  return (
    <figure
      aria-label={`Preview in ${paletteLabels[palette]}, layout ${layoutLabels[layout]}`}
      data-palette={paletteAttribute(palette)}
      className="bg-paper text-ink border-line rounded-card overflow-hidden border"
    >
      <figcaption className="border-line text-muted border-b px-5 py-2.5 text-sm">
        This is how your profile looks.
      </figcaption>
      {header && (
        <div className="bg-sunk h-24">
          <Picture picture={header} alt="" sizes="24rem" />
        </div>
      )}
      <div className="grid gap-4 p-5">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar
            picture={picture}
            name={name}
            sizes="3.5rem"
            className={classNames(
              `w-14 shrink-0 ${faceShape}`,
              header && 'border-paper relative -mt-12 w-18 border-4',
            )}
          />
          <p {...ownWords(name)} className="min-w-0 truncate font-serif text-xl font-semibold">
            {name}
          </p>
        </div>
        <ul
          className={
            list
              ? 'bg-surface border-line shadow-card rounded-card divide-line divide-y overflow-hidden border'
              : 'grid grid-cols-2 gap-3'
          }
        >
          {shown.map((offering) => (
            <PreviewedOffering key={offering.id} offering={offering} list={list} />
          ))}
        </ul>
      </div>
    </figure>
  );
}

function PreviewedOffering({ offering, list }: { offering: Shown; list: boolean }) {
  const { title, type, price, state, coverImage } = offering;
  return (
    <li
      className={
        list
          ? 'flex flex-wrap items-center gap-3 p-2.5'
          : 'bg-surface border-line shadow-card rounded-card grid content-start overflow-hidden border'
      }
    >
      <div
        className={classNames(
          'bg-sunk overflow-hidden',
          list ? 'rounded-field aspect-square w-12 shrink-0' : 'aspect-3/2',
        )}
      >
        {coverImage ? (
          <Picture picture={coverImage} alt="" sizes={list ? '3rem' : '11rem'} />
        ) : (
          <CoverPlaceholder />
        )}
      </div>
      <div className={classNames('min-w-0', list ? 'flex-1 basis-40' : 'p-3 pb-0')}>
        <p {...ownWords(title)} className="truncate font-serif leading-snug font-semibold">
          {title}
        </p>
        <p className="text-muted truncate text-sm">
          {type}{' '}
          <bdi lang={ownWords(price).lang} className="text-ink font-semibold">
            {price}
          </bdi>
        </p>
      </div>
      <span
        className={classNames(
          state === 'sold_out' ? 'text-muted text-sm font-semibold' : buttonClass('primary', 'small'),
          list ? 'ml-auto shrink-0' : 'm-3 px-1.5! whitespace-nowrap',
        )}
      >
        {state === 'sold_out' ? 'Sold out' : 'Access Now'}
      </span>
    </li>
  );
}
