import type { Ref } from 'react';
import { classNames } from '../ui/class-names.ts';
import { CheckIcon } from '../ui/icons/editor-icons.tsx';

const steps = ['Your address', 'You', 'First offering'] as const;

interface SetupStepsProps {
  current: 1 | 2 | 3;
  /** Receives the focus when the step changes on the same page. */
  ref?: Ref<HTMLParagraphElement>;
}

/** A new creator's progress, from the sign-up to the first offering. */
export function SetupSteps({ current, ref }: SetupStepsProps) {
  return (
    <div className="grid gap-3">
      <p ref={ref} tabIndex={-1} className="text-accent scroll-mt-24 font-semibold">
        Step {current} of {steps.length}: {steps[current - 1]}
      </p>
      <ol aria-label="Set-up" className="grid grid-cols-3 gap-2">
        {steps.map((name, index) => {
          const done = index + 1 < current;
          const now = index + 1 === current;
          return (
            <li key={name} aria-current={now ? 'step' : undefined} className="grid content-start gap-1.5">
              <span
                aria-hidden="true"
                className={classNames('h-1.5 rounded-full', done || now ? 'bg-accent' : 'bg-line')}
              />
              <span
                className={classNames(
                  'flex items-center gap-1 text-sm',
                  now ? 'text-ink font-semibold' : 'text-muted',
                )}
              >
                {done && <CheckIcon />}
                {name}
                {done && <span className="sr-only"> (done)</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
