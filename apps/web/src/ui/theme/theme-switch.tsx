import { MoonIcon, SunIcon } from '../icons/icons.tsx';
import { chooseTheme, useTheme } from './theme.ts';

export function ThemeSwitch() {
  const dark = useTheme() === 'dark';
  return (
    <button
      type="button"
      aria-label="Dark theme"
      aria-pressed={dark}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
      className="hover:bg-accent-soft hover:text-accent-strong text-muted grid size-11 place-items-center rounded-full transition-colors"
    >
      {dark ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
