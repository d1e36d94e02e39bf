import { shortForm } from '@stoa/contracts/simple-format';
import type { Download } from '@stoa/contracts';
import { ClampedText } from '../../ui/clamped-text.tsx';

/** What it is, in its creator's words. */
export function AboutPurchase({ download: { title, description } }: { download: Download }) {
  if (!description) return null;
  return (
    <section aria-labelledby="about-title" className="border-line w-full border-t pt-6 text-start">
      <h2 id="about-title" className="mb-1 text-xl">
        What it is
      </h2>
      <ClampedText
        text={shortForm(description)}
        of={title}
        clamp="sm:line-clamp-4"
        wideLength={260}
        className="text-muted [overflow-wrap:anywhere]"
      />
    </section>
  );
}
