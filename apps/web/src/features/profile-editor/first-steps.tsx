import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';
import { SetupSteps } from '../../layout/setup-steps.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Guides a new creator: first the address, which is already permanent, then the form below. */
export function FirstSteps({ username }: { username: string }) {
  const [step, setStep] = useState<1 | 2>(1);
  const heading = useRef<HTMLParagraphElement>(null);
  const short = `/@${username}`;

  useEffect(() => {
    // The button that was clicked has disappeared.
    if (step === 2) heading.current?.focus();
  }, [step]);

  return (
    <div className="mt-8 grid gap-6">
      <SetupSteps current={step} ref={heading} />
      {step === 1 ? (
        <section
          aria-labelledby="setup-address"
          className="bg-surface border-line shadow-card rounded-card grid gap-4 border p-5 sm:p-7"
        >
          <h2 id="setup-address" className="text-2xl">
            Your public address
          </h2>
          <p className="bg-sunk rounded-field px-4 py-3 font-mono [overflow-wrap:anywhere]">
            <span className="text-muted">{location.host}/</span>
            <wbr />
            <strong>{short.slice(1)}</strong>
          </p>
          <p>
            This is what you put into your bio elsewhere, onto a card or a poster. It is yours for good and
            cannot be changed, so that no link to you ever breaks.
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <Button onClick={() => setStep(2)}>Continue</Button>
            <CopyButton label="Copy address" text={location.origin + short} />
            <Link to={paths.dashboard} className={buttonClass('quiet')}>
              Skip for now
            </Link>
          </div>
        </section>
      ) : (
        <p>
          A picture, your name, a few words and your niches are what visitors find you by. How mail reaches
          you is the one thing to choose; all else can wait.{' '}
          <Link to={paths.dashboard} className="text-accent hover:text-accent-strong font-semibold underline">
            Skip for now
          </Link>
        </p>
      )}
    </div>
  );
}
