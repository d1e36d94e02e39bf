import { endOf, instantOf } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { zoneText } from '@stoa/contracts/zoned-time';
import { useId, useMemo } from 'react';
import type { FieldErrors } from '../../forms/use-form.ts';
import { SelectField, TextField } from '../../ui/fields/text-field.tsx';
import type { WorkshopValues } from './workshop-form.ts';

interface WorkshopFieldsProps {
  values: WorkshopValues;
  errors: FieldErrors;
  /** `touched`: the path of the changed field in the request. */
  onChange: (values: WorkshopValues, touched: string) => void;
}

/** The time of a workshop and the number of seats left, all optional. */
export function WorkshopFields({ values, errors, onChange }: WorkshopFieldsProps) {
  const id = useId();
  const field = (name: keyof WorkshopValues, path: string) => ({
    name,
    value: values[name],
    error: errors[path],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...values, [name]: target.value }, path),
  });
  return (
    <fieldset aria-describedby={`${id}-hint`} className="border-line rounded-card grid gap-6 border p-5">
      <legend className="px-2 font-serif text-xl font-semibold">Date and seats</legend>
      <p id={`${id}-hint`} className="text-muted -mt-3">
        Optional. Once the workshop has ended, your page says so and no longer leads to your payment link.
      </p>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <TextField
          label="Start"
          type="datetime-local"
          min={earliest}
          max={latest}
          {...field('start', 'schedule.start')}
        />
        <TextField
          label="End"
          type="datetime-local"
          min={values.start || earliest}
          max={latest}
          hint={`Without one it counts as ended ${limits.openEndHours} hours after its start.`}
          {...field('end', 'schedule.end')}
        />
        <SelectField
          label="Time zone"
          hint="Visitors elsewhere also see it in their own time."
          {...field('timeZone', 'schedule.timeZone')}
        >
          <ZoneOptions chosen={values.timeZone} />
        </SelectField>
        <TextField
          label="Seats left"
          inputMode="numeric"
          autoComplete="off"
          hint={
            values.seats.trim() === '0'
              ? 'Visitors read that it is sold out.'
              : 'Stoa takes no bookings: lower the number as seats are taken. 0 is sold out.'
          }
          {...field('seats', 'seats')}
        />
      </div>
      <p role="status" className="text-muted text-sm empty:absolute">
        {isOver(values) && 'This date is over: visitors read that the workshop has ended.'}
      </p>
    </fieldset>
  );
}

const earliest = '2000-01-01T00:00';
const latest = '2099-12-31T23:59';

function isOver({ start, end, timeZone }: WorkshopValues): boolean {
  const [startsAt, endsAt] = [start, end].map((time) => time && instantOf(time, timeZone));
  if (!startsAt) return false;
  const iso = (at: number) => new Date(at).toISOString();
  return endOf({ startsAt: iso(startsAt), endsAt: endsAt ? iso(endsAt) : null }) <= Date.now();
}

const groupOf = (name: string) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other');

/** The time zones by continent, including the chosen one even if this browser does not list it. */
function ZoneOptions({ chosen }: { chosen: string }) {
  const groups = useMemo(() => {
    const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen]);
    const all = [...names].toSorted();
    return [...new Set(all.map(groupOf))].map((group) => ({
      group,
      names: all.filter((name) => groupOf(name) === group),
    }));
  }, [chosen]);
  return groups.map(({ group, names }) => (
    <optgroup key={group} label={group}>
      {names.map((name) => (
        <option key={name} value={name}>
          {zoneText(name)}
        </option>
      ))}
    </optgroup>
  ));
}
