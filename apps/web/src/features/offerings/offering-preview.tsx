import type { OfferingState } from '@stoa/contracts';
import { isPublicState, offeringStateLabels } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { displayHost } from '@stoa/contracts/links';
import { useId, useState } from 'react';
import { useMe } from '../../auth/me.queries.ts';
import { offeringAsVisitorsSee } from '../../storefront/as-visitors-see.ts';
import { OfferingCard } from '../../storefront/offering-card.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { paletteAttribute } from '../../ui/palette.ts';
import { Tag } from '../../ui/tag.tsx';
import type { OfferingValues } from './offering-form.ts';
import { shownWorkshop } from './workshop-form.ts';

interface OfferingPreviewProps {
  values: OfferingValues;
  /** A blob address of the chosen cover while its upload is pending. */
  chosenCover: string | undefined;
}

/** For the surrounding form: space for the preview on a wide screen. */
export const besidePreview = 'lg:relative lg:pe-[25rem]';

/**
 * The offering's public card with the typed values: beside the form, or behind a button on a small screen.
 */
export function OfferingPreview(props: OfferingPreviewProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="lg:absolute lg:inset-y-0 lg:end-0 lg:w-[22rem]">
      <Button
        look="secondary"
        size="small"
        className="w-full lg:hidden"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Hide Preview' : 'Show Preview'}
      </Button>
      <div id={id} className={classNames('max-lg:mt-4 lg:sticky lg:top-24', !open && 'max-lg:hidden')}>
        <Preview {...props} />
      </div>
    </div>
  );
}

/**
 * Laying out a pasted book would block the browser for seconds. The field itself shows that the text is too
 * long. One character, such as an emoji, may have several code units.
 */
const cut = (text: string, characters: number): string => text.slice(0, 8 * characters);

function Preview({ values, chosenCover }: OfferingPreviewProps) {
  const { data: me } = useMe();
  const { title, description, price, type, state, paymentUrl, coverImage } = values;
  const typed = shownWorkshop(type, values.workshop);
  const card = offeringAsVisitorsSee({
    title: cut(title.trim(), limits.titleLength) || 'Your title',
    description: cut(description, limits.descriptionLength),
    price: cut(price.trim(), limits.priceLength) || 'Your price',
    type,
    state,
    // An unfinished payment link becomes a placeholder.
    paymentUrl: displayHost(paymentUrl.trim()) ? paymentUrl.trim() : 'https:',
    coverImage,
    ...typed,
  });
  return (
    <figure
      data-palette={paletteAttribute(me?.palette)}
      className="bg-paper text-ink border-line rounded-card overflow-hidden border"
    >
      <figcaption className="border-line text-muted flex flex-wrap items-center gap-2 border-b px-5 py-2.5 text-sm">
        {!isPublicState(state) && <Tag>{offeringStateLabels[state]}</Tag>}
        {captions[state] ?? 'This is how it looks on your profile.'}
      </figcaption>
      {/* A picture of the card: nothing in it is focusable or read aloud during typing. */}
      <div inert className="p-4 sm:p-5">
        <OfferingCard
          offering={card}
          address=""
          cover={
            chosenCover && (
              <img src={chosenCover} alt="" className="behind-transparent h-full w-full object-cover" />
            )
          }
        />
      </div>
    </figure>
  );
}

const captions: Partial<Record<OfferingState, string>> = {
  draft: 'How it looks once you publish it.',
  hidden: 'How it looks once you show it again.',
  archived: 'How it looked to visitors.',
};
