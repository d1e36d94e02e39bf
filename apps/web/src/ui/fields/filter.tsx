import { classNames } from '../class-names.ts';
import { controlClass } from './control-class.ts';
import { SearchIcon } from '../icons/icons.tsx';

interface FilterButtonsProps<T extends string> {
  label: string;
  options: readonly T[];
  value: T;
  onChange: (value: T) => void;
}

export function FilterButtons<T extends string>({ label, options, value, onChange }: FilterButtonsProps<T>) {
  return (
    <div
      role="group"
      aria-label={label}
      // One row that scrolls, with space for the focus ring around each button.
      className="-mx-5 flex [scrollbar-width:none] gap-2 overflow-x-auto px-5 py-1.5 sm:-mx-1.5 sm:px-1.5"
    >
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          className={classNames(
            'min-h-11 shrink-0 rounded-full border px-4 text-sm font-semibold transition-colors',
            option === value
              ? 'border-accent bg-accent text-on-accent'
              : 'border-line bg-surface hover:border-accent hover:text-accent',
          )}
        >
          {option}
        </button>
      ))}
    </div>
  );
}

interface SearchFieldProps {
  /** The parameter's name when a form without scripts is sent. */
  name?: string;
  label: string;
  placeholder: string;
  value: string;
  maxLength?: number;
  onChange: (value: string) => void;
}

export function SearchField({ name, label, placeholder, value, maxLength, onChange }: SearchFieldProps) {
  return (
    <div className="relative">
      <span className="text-muted pointer-events-none absolute inset-y-0 left-4 grid place-items-center">
        <SearchIcon />
      </span>
      <input
        type="search"
        name={name}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        className={classNames(controlClass, 'pl-12')}
      />
    </div>
  );
}
