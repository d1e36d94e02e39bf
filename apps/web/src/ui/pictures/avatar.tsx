import type { Picture as PictureFacts } from '@stoa/contracts';
import { languageOf } from '@stoa/contracts/text-language';
import { classNames } from '../class-names.ts';
import { Picture } from './picture.tsx';

interface AvatarProps {
  picture: PictureFacts | null;
  /** The name whose first letter replaces a missing picture. */
  name: string;
  sizes: string;
  eager?: boolean;
  className?: string;
}

const grounds = ['var(--clay)', 'var(--olive)', 'var(--sea)', 'var(--plum)', 'var(--sand)'];

function groundFor(name: string): string {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return grounds[sum % grounds.length] ?? 'var(--sand)';
}

/**
 * The shape of every face, also in the crop dialog, so that the crop shows what visitors see. Browsers scale
 * all radii of a box together: `rounded-t-full` would remove the lower ones.
 */
export const faceShape = 'rounded-t-[50%] rounded-b-field';

/** A creator's picture, or an arch with their initial. */
export function Avatar({ picture, name, sizes, eager, className }: AvatarProps) {
  return (
    <div
      lang={picture ? languageOf(name) : undefined}
      className={classNames('bg-sunk aspect-square overflow-hidden', className)}
    >
      {picture ? (
        <Picture picture={picture} alt={name} sizes={sizes} eager={eager} />
      ) : (
        <Placeholder name={name} />
      )}
    </div>
  );
}

function Placeholder({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 100 100" role="img" aria-label={`${name} (no picture yet)`} className="h-full w-full">
      <rect width="100" height="100" fill={groundFor(name)} opacity="0.35" />
      <path d="M22 100V52a28 28 0 0 1 56 0v48Z" fill={groundFor(name)} opacity="0.75" />
      <text x="50" y="72" textAnchor="middle" fontSize="38" fill="var(--ink)" className="font-serif">
        {[...name.trim()][0]?.toUpperCase() ?? '·'}
      </text>
    </svg>
  );
}
