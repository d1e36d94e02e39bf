import { useId, useState } from 'react';

const money = (amount: number) => `$${Math.round(amount).toLocaleString('en')}`;

/** The yearly cost of a commission elsewhere, by monthly sales. */
export function FeeCalculator() {
  const [sales, setSales] = useState(500);
  const [percent, setPercent] = useState(10);
  const year = sales * 12;
  return (
    <section aria-labelledby="fee-title" className="mx-auto max-w-6xl px-5 pb-16 sm:px-8 sm:pb-24">
      <div className="bg-surface border-line shadow-card rounded-card grid gap-8 border p-6 sm:p-10 lg:grid-cols-2 lg:gap-16">
        <div>
          <h2 id="fee-title" className="text-3xl">
            What a commission costs you
          </h2>
          <p className="text-muted mt-3">
            Set what you sell in a month and what another place would take of it. Your payment provider may
            have a fee of its own, here as there.
          </p>
          <div className="mt-6 grid gap-5">
            <Slider
              label="You sell in a month"
              value={sales}
              of={money}
              range={[50, 5000, 50]}
              onChange={setSales}
            />
            <Slider
              label="Commission elsewhere"
              value={percent}
              of={(value) => `${value}%`}
              range={[1, 30, 1]}
              onChange={setPercent}
            />
          </div>
        </div>
        <dl className="grid content-center gap-4 sm:grid-cols-2">
          <Keep
            where="Elsewhere"
            keeps={money(year * (1 - percent / 100))}
            gone={money((year * percent) / 100)}
          />
          <Keep where="On Stoa" keeps={money(year)} gone="$0" ours />
        </dl>
      </div>
    </section>
  );
}

interface SliderProps {
  label: string;
  value: number;
  of: (value: number) => string;
  /** Minimum, maximum and step. */
  range: readonly [number, number, number];
  onChange: (value: number) => void;
}

function Slider({ label, value, of, range: [min, max, step], onChange }: SliderProps) {
  const id = useId();
  return (
    <div>
      <div className="flex justify-between gap-4">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <span aria-hidden="true" className="font-semibold tabular-nums">
          {of(value)}
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={of(value)}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        className="accent-accent h-8 w-full cursor-pointer"
      />
    </div>
  );
}

interface KeepProps {
  where: string;
  keeps: string;
  gone: string;
  ours?: boolean;
}

function Keep({ where, keeps, gone, ours }: KeepProps) {
  return (
    <div className={`rounded-card p-5 ${ours ? 'bg-accent-soft' : 'bg-sunk'}`}>
      <dt className="font-semibold">{where}, in a year</dt>
      <dd className="mt-2 font-serif text-3xl font-semibold tabular-nums">{keeps}</dd>
      <dd className="text-muted text-sm tabular-nums">yours, {gone} in commission</dd>
    </div>
  );
}
