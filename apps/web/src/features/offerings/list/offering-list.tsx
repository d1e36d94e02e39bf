import type { Offering } from '@stoa/contracts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { creatorErrorMessages } from '../../../api/creator/creator-messages.ts';
import { messageFor } from '../../../api/messages.ts';
import { useNumbers } from '../../../api/creator/numbers.queries.ts';
import { CheckIcon, CopyIcon, DownIcon, PinIcon, UpIcon } from '../../../ui/icons/editor-icons.tsx';
import { MenuItem } from '../../../ui/overlays/menu-button.tsx';
import { useToast } from '../../../ui/overlays/toast.tsx';
import {
  canMove,
  inOrder,
  type NewOrder,
  orderAfter,
  orderAfterDrop,
  type OwnOfferings,
} from '../offering-order.ts';
import { OfferingRow } from './offering-row.tsx';
import { useDuplicateOffering, useReorderOfferings } from '../offerings.queries.ts';
import { SortableItem, SortableList } from './sortable-list.tsx';
import { PersonalWords } from '../../../ui/text/personal-words.tsx';

/** The numbers contain no entry for an offering without visits. */
const unvisited = { views: 0, accessClicks: 0 };

interface OfferingListProps {
  list: OwnOfferings;
  onDelete: (offering: Offering) => void;
}

/** The creator's offerings in their public order, with the controls that reorder them. */
export function OfferingList({ list: stored, onDelete }: OfferingListProps) {
  const { list, reorder, announcement, ...order } = useOrder(stored);
  const { items, pinnedId } = list;
  const duplicate = useDuplicate();
  // An order lists every offering, so no duplicate may be added during its save.
  const busy = order.busy || duplicate.busy;
  const several = items.length > 1;
  // Secondary data: if the read fails, the list shows no numbers.
  const week = useNumbers(7).data?.offerings;

  const move = (id: string, ids: string[]) => {
    const title = items.find((offering) => offering.id === id)?.title ?? '';
    reorder(
      { ids, pinnedId },
      <>
        “<PersonalWords text={title} />” is now number {ids.indexOf(id) + 1} of {ids.length}.
      </>,
    );
  };
  const drop = (id: string, overId: string) => {
    const ids = busy ? undefined : orderAfterDrop(list, id, overId);
    if (ids) move(id, ids);
  };

  return (
    <>
      {several && <p className="text-muted mb-2 text-sm max-sm:sr-only">Visitors see them in this order.</p>}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <SortableList ids={items.map(({ id }) => id)} onDrop={drop}>
        {items.map((offering) => {
          const { id, title } = offering;
          const pinned = id === pinnedId;
          const step = (by: -1 | 1) => ({
            unavailable: busy || !canMove(list, id, by),
            onClick: () => move(id, orderAfter(list, id, by)),
          });
          const pin = () =>
            reorder(
              { ids: items.map((one) => one.id), pinnedId: pinned ? null : id },
              <>
                “<PersonalWords text={title} />” {pinned ? 'is no longer pinned.' : 'is pinned to the top.'}
              </>,
            );
          return (
            <SortableItem key={id} id={id} fixed={pinned} unavailable={busy}>
              {(handle) => (
                <OfferingRow
                  offering={offering}
                  pinned={pinned}
                  week={week && (week.find(({ offeringId }) => offeringId === id) ?? unvisited)}
                  handle={several && handle}
                  onDelete={() => onDelete(offering)}
                >
                  {several && (
                    <>
                      <MenuItem {...step(-1)}>
                        <UpIcon />
                        <span>
                          Move <span className="sr-only">{title} </span>up
                        </span>
                      </MenuItem>
                      <MenuItem {...step(1)}>
                        <DownIcon />
                        <span>
                          Move <span className="sr-only">{title} </span>down
                        </span>
                      </MenuItem>
                      <MenuItem aria-pressed={pinned} unavailable={busy} onClick={pin}>
                        <PinIcon />
                        <span>
                          Pin <span className="sr-only">{title} </span>to the top
                        </span>
                        {pinned && <CheckIcon />}
                      </MenuItem>
                    </>
                  )}
                  <MenuItem unavailable={busy} closes onClick={() => duplicate.start(offering)}>
                    <CopyIcon />
                    <span>
                      Duplicate<span className="sr-only"> {title}</span>
                    </span>
                  </MenuItem>
                </OfferingRow>
              )}
            </SortableItem>
          );
        })}
      </SortableList>
    </>
  );
}

/** The list in the last requested order. It applies immediately, and is reverted if the server refuses it. */
function useOrder(stored: OwnOfferings) {
  const mutation = useReorderOfferings();
  const announce = useToast();
  const [announcement, setAnnouncement] = useState<ReactNode>();
  const [asked, setAsked] = useState<NewOrder>();
  const focused = useRef<Element>(null);
  const list = asked ? inOrder(stored, asked) : stored;
  const order = list.items.map(({ id }) => id).join();

  // An element that moves within the page loses the focus.
  useEffect(() => {
    const lost = document.activeElement === document.body;
    if (lost && focused.current instanceof HTMLElement) focused.current.focus();
    if (!asked) focused.current = null;
  }, [order, asked]);

  const reorder = (wanted: NewOrder, done: ReactNode) => {
    focused.current = document.activeElement;
    setAsked(wanted);
    mutation.mutate(
      { ...wanted, version: stored.version },
      {
        onSuccess: () => setAnnouncement(done),
        onError: (error) => announce('failure', messageFor(creatorErrorMessages.offeringOrder, error)),
        onSettled: () => setAsked(undefined),
      },
    );
  };
  return { list, reorder, busy: mutation.isPending, announcement };
}

function useDuplicate() {
  const mutation = useDuplicateOffering();
  const announce = useToast();
  // A retry after a lost answer uses the same id, so that it creates one duplicate.
  const begun = useRef(new Map<string, string>());

  const start = ({ id, schedule }: Offering) => {
    const duplicateId = begun.current.get(id) ?? crypto.randomUUID();
    begun.current.set(id, duplicateId);
    mutation.mutate(
      { id, duplicateId },
      {
        onSuccess: ({ coverImage }) => {
          begun.current.delete(id);
          const next = coverImage ? 'what buyers get' : 'a cover image';
          announce('success', `Duplicated as a draft. Add ${schedule ? 'a date and ' : ''}${next}.`);
        },
        onError: (error) => announce('failure', messageFor(creatorErrorMessages.offeringDuplicate, error)),
      },
    );
  };
  return { start, busy: mutation.isPending };
}
