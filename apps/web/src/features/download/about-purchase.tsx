import { compactText } from '@stoa/contracts/simple-format';
import type { Download } from '@stoa/contracts';
import { ClampedText } from '../../ui/text/clamped-text.tsx';

/** The creator's description of the offering. */
export function AboutPurchase({ download: { title, description } }: { download: Download }) {
  if (!description) return null;
  return (
    <section aria-labelledby="about-title" className="border-line w-full border-t pt-6 text-start">
      <h2 id="about-title" className="mb-1 text-xl">
        What it is
      </h2>
      <ClampedText
        text={compactText(description)}
        of={title}
        clamp="sm:line-clamp-4"
        wideLength={260}
        className="text-muted [overflow-wrap:anywhere]"
      />
    </section>
  );
}
