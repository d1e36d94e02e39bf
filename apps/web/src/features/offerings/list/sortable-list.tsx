import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type Modifier,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { GripIcon } from '../../../ui/icons/editor-icons.tsx';

/** A click does not start a drag. */
const mouse = { activationConstraint: { distance: 4 } };
/** Moving the finger within the delay scrolls the page, even on a handle. */
const touch = { activationConstraint: { delay: 250, tolerance: 6 } };

const vertically: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** No announcements of the library: the surrounding list announces the move after its save. */
const silent = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

interface SortableListProps {
  ids: string[];
  onDrop: (id: string, overId: string) => void;
  children: ReactNode;
}

/** A list that can be reordered by mouse, pen and finger. Keyboard users need additional buttons. */
export function SortableList({ ids, onDrop, children }: SortableListProps) {
  const sensors = useSensors(useSensor(MouseSensor, mouse), useSensor(TouchSensor, touch));
  const dropped = ({ active, over }: DragEndEvent) => {
    if (over) onDrop(String(active.id), String(over.id));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[vertically]}
      accessibility={{ announcements: silent, restoreFocus: false }}
      onDragEnd={dropped}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul className="divide-line divide-y">{children}</ul>
      </SortableContext>
    </DndContext>
  );
}

interface SortableItemProps {
  id: string;
  /** The item stays in its place, and others cannot move above it. */
  fixed: boolean;
  /** The item cannot be dragged at the moment. */
  unavailable: boolean;
  children: (handle: ReactNode) => ReactNode;
}

export function SortableItem({ id, fixed, unavailable, children }: SortableItemProps) {
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id,
    disabled: { draggable: fixed || unavailable },
  });
  const moved: CSSProperties = transform
    ? { transform: `translateY(${Math.round(transform.y)}px)`, transition }
    : {};
  const handle = (
    // For pointers only: keyboards and screen readers use the move buttons.
    <span
      ref={setActivatorNodeRef}
      {...listeners}
      aria-hidden="true"
      title="Drag to reorder"
      data-drag-handle={isDragging ? 'held' : ''}
      className={classNames(
        'text-muted rounded-field -mx-2 grid h-12 w-6 shrink-0 touch-manipulation place-items-center select-none [-webkit-touch-callout:none] pointer-coarse:w-10',
        fixed && 'invisible',
        unavailable ? 'opacity-40' : 'hover:bg-accent-soft hover:text-accent-strong',
        isDragging ? 'cursor-grabbing' : 'cursor-grab',
      )}
    >
      <GripIcon />
    </span>
  );
  return (
    <li
      ref={setNodeRef}
      style={moved}
      className={classNames(isDragging && 'bg-surface shadow-lifted rounded-card relative z-10')}
    >
      {children(handle)}
    </li>
  );
}
