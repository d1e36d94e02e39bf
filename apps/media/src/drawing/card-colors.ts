import type { Palette } from '@stoa/contracts';

/** Colours of a preview card, as in the light palettes of the web app. */
export interface CardColors {
  readonly paper: string;
  readonly surface: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly onAccent: string;
}

export const cardColors: Record<Palette, CardColors> = {
  terracotta: {
    ...{ paper: '#f7f2e9', surface: '#fffefb', ink: '#1d1813', muted: '#645b51' },
    ...{ accent: '#a8480f', accentSoft: '#f7e8d3', onAccent: '#fffaf3' },
  },
  olive: {
    ...{ paper: '#f3f4e8', surface: '#fdfefb', ink: '#1a1a12', muted: '#5d5e4e' },
    ...{ accent: '#566024', accentSoft: '#e4ead1', onAccent: '#fafbf6' },
  },
  aegean: {
    ...{ paper: '#eaf5f7', surface: '#fbfefe', ink: '#141b1c', muted: '#515f62' },
    ...{ accent: '#036577', accentSoft: '#ccedf5', onAccent: '#f7fbfc' },
  },
  indigo: {
    ...{ paper: '#f0f2fa', surface: '#fdfdfe', ink: '#18191e', muted: '#595c66' },
    ...{ accent: '#3e4db2', accentSoft: '#dee5fe', onAccent: '#f9fafd' },
  },
  plum: {
    ...{ paper: '#f7f0f7', surface: '#fefdff', ink: '#1c181c', muted: '#625962' },
    ...{ accent: '#7d3a88', accentSoft: '#f7dcfb', onAccent: '#fcf9fc' },
  },
  graphite: {
    ...{ paper: '#f3f2f0', surface: '#fdfdfd', ink: '#1a1918', muted: '#5d5c59' },
    ...{ accent: '#34383e', accentSoft: '#dbdee3', onAccent: '#fafafb' },
  },
};
