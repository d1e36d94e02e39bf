import type { ReactNode } from 'react';
import { Tag } from '../../ui/tag.tsx';
import { ownWords } from '../../ui/text/own-words.ts';

interface PhonePageProps {
  face: ReactNode;
  name: ReactNode;
  username: string;
  niche: string | undefined;
  line: string;
  /** Display texts and a cover for each offering. */
  offerings: readonly { slug: string; title: string; price: string; cover: ReactNode; action?: ReactNode }[];
}

/** A profile as it appears on a phone. */
export function PhonePage({ face, name, username, niche, line, offerings }: PhonePageProps) {
  return (
    <div className="bg-paper border-edge/70 shadow-lifted relative min-h-[25rem] w-72 max-w-[calc(100vw-2.5rem)] rounded-[2.2rem] border-[6px] p-4 text-sm">
      <div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-x-3">
        <div className="border-line rounded-b-card size-20 overflow-hidden rounded-t-[50%] border">
          {face}
        </div>
        <div className="min-w-0">
          <p dir="auto" className="line-clamp-2 font-serif text-xl leading-tight font-semibold wrap-anywhere">
            {name}
          </p>
          <p className="text-muted mb-1 truncate">@{username}</p>
          {niche && <Tag>{niche}</Tag>}
        </div>
      </div>
      <p {...ownWords(line)} className="mt-3 wrap-anywhere">
        {line}
      </p>
      <ul className="mt-4 grid gap-2.5">
        {offerings.map(({ slug, title, price, cover, action }) => (
          <li
            key={slug}
            className="bg-surface border-line shadow-card rounded-card grid grid-cols-[3.6rem_minmax(0,1fr)] gap-x-3 border p-2"
          >
            <div className="bg-sunk rounded-field row-span-2 aspect-square overflow-hidden">{cover}</div>
            <p
              {...ownWords(title)}
              className="line-clamp-2 font-serif leading-snug font-semibold wrap-anywhere"
            >
              {title}
            </p>
            <p className="flex flex-wrap items-center justify-between gap-x-2">
              <b {...ownWords(price)} className="truncate">
                {price}
              </b>
              {action}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
